-- How many sagas are in each state. KEYS: indexes. ARGV: the states. Returns a number per state.
local counts = {}
for i, state in ipairs(ARGV) do
  counts[i] = 0
  local first, last = '[s' .. state, '(s' .. string.char(string.byte(state) + 1)
  for _, index in ipairs(KEYS) do counts[i] = counts[i] + call('ZLEXCOUNT', index, first, last) end
end
return counts

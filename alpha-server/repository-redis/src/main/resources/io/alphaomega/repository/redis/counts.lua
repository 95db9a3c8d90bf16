-- How many sagas are in each state. KEYS: indexes. ARGV: the states. Returns a number per state.
local function count(index, first)
  local beyond = sub(first, 1, 1) .. string.char(string.byte(first, 2) + 1)
  return call('ZLEXCOUNT', index, '[' .. first, '(' .. beyond)
end

local counts = {}
for i, state in ipairs(ARGV) do
  counts[i] = 0
  for _, index in ipairs(KEYS) do
    for _, kind in ipairs { 's', 'y', 'f' } do counts[i] = counts[i] + count(index, kind .. state) end
  end
end
return counts

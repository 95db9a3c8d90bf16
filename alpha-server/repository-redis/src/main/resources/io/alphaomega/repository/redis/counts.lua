-- How many sagas are in each state. KEYS: any key of each bucket. ARGV: the states. Returns a number per state.
local counts = {}
for i, state in ipairs(ARGV) do
  counts[i] = 0
  for _, key in ipairs(KEYS) do counts[i] = counts[i] + call('ZCARD', bucketOf(key) .. '/state/' .. state) end
end
return counts

-- Where a scan stands in a sorted set.

-- As Redis orders members, byte by byte; Lua's own order depends on the locale.
local function isBefore(a, b)
  for i = 1, math.min(#a, #b) do
    local x, y = string.byte(a, i), string.byte(b, i)
    if x ~= y then return x < y end
  end
  return #a < #b
end

-- How many entries are before the place, or at it.
local function countUpTo(key, score, id, inclusive)
  local low, high = call('ZCOUNT', key, '-inf', '(' .. score), call('ZCOUNT', key, '-inf', score)
  while low < high do
    local middle = math.floor((low + high) / 2)
    local member = call('ZRANGE', key, middle, middle)[1]
    if isBefore(member, id) or (inclusive and member == id) then low = middle + 1 else high = middle end
  end
  return low
end

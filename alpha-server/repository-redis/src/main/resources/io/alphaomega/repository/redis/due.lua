-- Which sagas are due. KEYS: indexes. ARGV: how many of each; then per index the first and the last member to look at,
-- as ZRANGEBYLEX wants them. Returns per index: members, at last 1 if there may be more. Entries that are earlier than
-- their saga's wake-up time are put right, and so met again when that has come.

-- If very much is early, it is put right in several calls: each holds up the server for a few milliseconds.
local LOOKS_MAX = 2000
local looks = 0

-- Whether the entry says what the saga says; if not, it does from now on.
local function putRight(index, member)
  local key = bucketOf(index) .. ':' .. sub(member, 9)
  local last = lastOf(key)
  -- It cannot be read: whoever looks after it finds out.
  if type(last) == 'table' or (last and isTooShort(last)) then return true end
  local known = isText(last) and not isTombstone(last) and indexedWakeUpOf(last) == sub(member, 2, 8)
  local wakes = known and sub(last, 29, 35) or NEVER
  if wakes == sub(member, 2, 8) then return true end
  call('ZREM', index, member)
  if known then
    call('LSET', key, -1, sub(last, 1, 35) .. wakes .. sub(last, 43))
    if wakes ~= NEVER then call('ZADD', index, '0', 'd' .. wakes .. sub(member, 9)) end
  end
  return false
end

local limit = tonumber(ARGV[1])

local function page(index, first, last)
  while true do
    local members = call('ZRANGEBYLEX', index, first, last, 'LIMIT', 0, limit)
    local looked, sound, wrong = 0, 0, false
    for i, member in ipairs(members) do
      if isReadEnough() then break end
      looked = i
      if not putRight(index, member) then wrong = true end
      if not wrong then sound = i end
    end
    looks = looks + #members
    if not wrong or looked < #members or looks >= LOOKS_MAX then
      local more = (wrong or looked < #members or #members == limit) and 1 or 0
      for i = #members, sound + 1, -1 do members[i] = nil end
      members[#members + 1] = more
      return members
    end
  end
end

local pages = {}
for i, index in ipairs(KEYS) do pages[i] = page(index, ARGV[2 * i], ARGV[2 * i + 1]) end
return pages

-- Which sagas are due. KEYS: indexes. ARGV: how many of each; then per index the first and the last member to look at,
-- as ZRANGEBYLEX wants them. Returns per index: members, the last of them (or an empty one), 1 if there may be more. Entries that are earlier than
-- their saga's wake-up time are put right, and so met again when that has come.

-- If very much is early, it is put right in several calls: each holds up the server for a few milliseconds.
local LOOKS_MAX = 2000
local looks = 0

local YOUNG_MILLIS = 30000

local function isDamaged(last) return type(last) == 'table' or (last and isTooShort(last)) end

-- Whether a saga's last record tells of this entry.
local function isOf(last, wakeUp) return isText(last) and not isTombstone(last) and indexedWakeUpOf(last) == wakeUp end

local function isYoung(last, begun)
  return isOf(last, YOUNG) and endOf(last) == NEVER and sub(last, 28, 34) == begun
end

-- A saga that is no longer young gets an entry of its own for its wake-up time.
local function grownUp(key, last)
  local record = withIndexedWakeUp(last, wakeUpOf(last))
  addToIndex(key, { membersOf(idOf(key), record) })
  call('LSET', key, '-1', record)
end

local function age(index, member)
  local begun, id = sub(member, 3, 9), sub(member, 10)
  local key = bucketOf(index) .. ':' .. id
  local last = lastOf(key)
  call('ZREM', index, member)
  if isDamaged(last) then
    addToIndex(key, { 's' .. sub(member, 2), 'd' .. begun .. id })
  elseif isYoung(last, begun) then
    grownUp(key, last)
  end
end

-- Whether none is left that is too old to be young.
local function ageAll(index, due)
  local last = '(y1' .. struct.pack('>I7', number(due) - YOUNG_MILLIS)
  while looks < LOOKS_MAX and not isReadEnough() do
    local members = call('ZRANGEBYLEX', index, '[y1', last, 'LIMIT', '0', '100')
    for _, member in ipairs(members) do age(index, member) end
    looks = looks + #members
    if #members < 100 then return true end
  end
  return false
end

-- Whether the entry says what the saga says; if not, it does from now on.
local function putRight(index, member)
  local key = bucketOf(index) .. ':' .. sub(member, 9)
  local last = lastOf(key)
  -- It cannot be read: whoever looks after it finds out.
  if isDamaged(last) then return true end
  if isYoung(last, sub(member, 2, 8)) then
    -- It could not be read when it ceased to be young, but somebody has mended it.
    call('ZREM', index, member, membersOf(idOf(key), last))
    grownUp(key, last)
    return false
  end
  local known = isOf(last, sub(member, 2, 8))
  local wakes = known and wakeUpOf(last) or NEVER
  if wakes == sub(member, 2, 8) then return true end
  call('ZREM', index, member)
  if known then
    call('LSET', key, '-1', withIndexedWakeUp(last, wakes))
    if wakes ~= NEVER then call('ZADD', index, '0', 'd' .. wakes .. sub(member, 9)) end
  end
  return false
end

local limit = ARGV[1]

local function page(index, first, last)
  if not ageAll(index, sub(last, 3, 9)) then return { '', 1 } end
  while true do
    local members = call('ZRANGEBYLEX', index, first, last, 'LIMIT', '0', limit)
    local looked, sound, wrong = 0, 0, false
    for i, member in ipairs(members) do
      if isReadEnough() then break end
      looked = i
      if not putRight(index, member) then wrong = true end
      if not wrong then sound = i end
    end
    looks = looks + #members
    if not wrong or looked < #members or looks >= LOOKS_MAX then
      local more = (wrong or looked < #members or #members == tonumber(limit)) and 1 or 0
      for i = #members, sound + 1, -1 do members[i] = nil end
      members[sound + 1] = members[sound] or ''
      members[sound + 2] = more
      return members
    end
  end
end

local pages = {}
for i, index in ipairs(KEYS) do pages[i] = page(index, ARGV[2 * i], ARGV[2 * i + 1]) end
return pages

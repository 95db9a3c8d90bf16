-- Appends. KEYS: a saga per item; then perhaps others, only declared. ARGV: per item what the saga's last record must
-- begin with (empty: there must be none), the record, the header (empty: it is the same). Returns of each item that
-- conflicts its number and what the saga's last record begins with.
local VERSION_BYTES = 19

-- Those of a list that another does not have. Both are of two or three, or of twenty where a saga has many marks.
local function without(list, others)
  local left = {}
  for _, each in ipairs(list) do
    local found = false
    for _, other in ipairs(others) do found = found or each == other end
    if not found then left[#left + 1] = each end
  end
  return left
end

local function replaceInIndex(key, before, after)
  removeFromIndex(key, without(before, after))
  addToIndex(key, without(after, before))
end

-- Returns the record as it is stored. A wake-up time later than the one in the index is written there when that has
-- come, by due.lua: the record then tells the one that is there.
local function reindexed(key, last, record)
  local id, was, is = idOf(key), indexedWakeUpOf(last), indexedWakeUpOf(record)
  if was ~= is and was ~= YOUNG and endOf(record) == NEVER then
    if is == YOUNG then is = wakeUpOf(record) end
    if was ~= NEVER and is ~= NEVER and number(is) > number(was) then is = was end
    record = withIndexedWakeUp(record, is)
  end
  local before, beforeToo = membersOf(id, last)
  local after, afterToo = membersOf(id, record)
  if beforeToo or afterToo then
    replaceInIndex(key, { membersOf(id, last) }, { membersOf(id, record) })
  else -- A saga that was young is over: without the lists.
    local index = indexOf(key)
    call('ZREM', index, before)
    call('ZADD', index, '0', after)
  end
  return record
end

-- Whether the marks may have another place in the index: the saga has moved in it, or had an order, or has a key or
-- attributes that come later, in a new header and in the flags.
local function mayRemark(moves, header, last, record)
  return moves or (header ~= '' and flagsOf(last) ~= flagsOf(record)) or has(flagsOf(record), ORDERED)
end

local function remark(key, last, record)
  if flagsOf(last) < KEYED and flagsOf(record) < KEYED then return end
  replaceInIndex(key, markMembersOf(idOf(key), last), markMembersOf(idOf(key), record))
end

local function enter(key, record)
  local id = idOf(key)
  local first, second = membersOf(id, record)
  if not second and flagsOf(record) < KEYED then return call('ZADD', indexOf(key), '0', first) end
  local members = markMembersOf(id, record)
  for _, member in ipairs { membersOf(id, record) } do members[#members + 1] = member end
  addToIndex(key, members)
end

local conflicts = {}
for i = 1, #ARGV / 3 do
  local key, record, header = KEYS[i], ARGV[3 * i - 1], ARGV[3 * i]
  local last = redis.pcall('LINDEX', key, '-1')
  local actual = isText(last) and sub(last, 1, VERSION_BYTES) or ''
  if actual ~= ARGV[3 * i - 2] or type(last) == 'table' or (last and isTooShort(last)) then
    -- Whoever loads what is no saga, or damaged, is told.
    conflicts[#conflicts + 1] = i
    conflicts[#conflicts + 1] = actual
  else
    if not last then
      enter(key, record)
    else
      local moves = indexedOf(last) ~= indexedOf(record)
      if moves then record = reindexed(key, last, record) end
      if mayRemark(moves, header, last, record) then remark(key, last, record) end
    end
    if header == '' then
      call('RPUSH', key, record)
    else
      call('RPUSH', key, header, record)
    end
  end
end
return conflicts

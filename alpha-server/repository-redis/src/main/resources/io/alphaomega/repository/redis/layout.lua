-- How a saga is stored; every script begins with this. Of saga x in bucket 17:
--   alpha:{b17}:x      a list: of each append a record, before it a header if that has changed. After the saga was
--                      purged: its tombstone only.
--   alpha:{b17}/index  a sorted set without scores, in the order of its members' bytes. Members:
--                        s state time x    in this state, begun then; after it, if it has ended, a zero and the mark,
--                        y state time x    the same of a saga that is young: to be woken up 30 s later, at the latest,
--                        f state time x    the same of a saga that has ended, within 30 s of its begin: may be purged,
--                        d time x          to be woken up then; perhaps earlier than the saga itself says,
--                        e time x          ended then, and may be purged; only where there is an s,
--                        k mark time x     with a business key of this mark, begun then,
--                        a mark time x     with an attribute of this mark, begun then,
--                        o time x          an operator's last order took effect then,
--                        g time x          a tombstone of a saga that ended then.
-- A record: kind J 1 (a tombstone: T), sequence 2-5, token 6-13, hash of the header 14-17, how many elements before it
-- that is 18-19, state 20, end 21-27 (here a tombstone ends), begin 28-34, wake-up time in the index 35-41 (of a y or f
-- YOUNG), mark of the services if it has ended 42-49, wake-up time 50-56, length of the rest of the summary 57-58, that
-- rest, the events.
-- The rest has flags 61, then a time of eight bytes, or two if a flag says so; then, from 70 or 78 on and each only if a
-- flag says that the saga has it, the mark of its business key, the time of the last order, the number of its attributes
-- and their marks.
-- A header: kind H, number of services 2-3, their names, other texts of the summary, and, if there are attributes, their
-- number and their texts. A name is a length of two bytes and its bytes. A time is seven bytes whose order is that of the times; NEVER is after all of them, YOUNG before.
-- A mark has one to two bits for each service.
local call, sub = redis.call, string.sub
local NEVER, YOUNG = string.rep('\255', 7), string.rep('\0', 7)

local function bucketOf(key) return sub(key, 1, 11) end

local function indexOf(key) return sub(key, 1, 11) .. '/index' end

local function idOf(key) return sub(key, 13) end

local function number(time) return (struct.unpack('>I7', time)) end

local function endOf(record) return sub(record, 21, 27) end

local function indexedWakeUpOf(record) return sub(record, 35, 41) end

local function wakeUpOf(record) return sub(record, 50, 56) end

local function withIndexedWakeUp(record, time) return sub(record, 1, 34) .. time .. sub(record, 42) end

local TWO_TIMES, KEYED, ORDERED, ATTRIBUTED = 2, 4, 8, 16

local function flagsOf(record) return string.byte(record, 61) or 0 end

local function has(flags, flag) return bit.band(flags, flag) ~= 0 end

-- The members of the index that hardly any append changes: for its business key, its last order, its attributes.
local function markMembersOf(id, record)
  local flags, members = flagsOf(record), {}
  if flags < KEYED then return members end
  local at, begunBy = has(flags, TWO_TIMES) and 78 or 70, sub(record, 28, 34) .. id
  if has(flags, KEYED) then
    members[1] = 'k' .. sub(record, at, at + 3) .. begunBy
    at = at + 4
  end
  if has(flags, ORDERED) then
    members[#members + 1] = 'o' .. sub(record, at, at + 6) .. id
    at = at + 7
  end
  if has(flags, ATTRIBUTED) then
    for i = at + 1, at + 4 * string.byte(record, at), 4 do
      members[#members + 1] = 'a' .. sub(record, i, i + 3) .. begunBy
    end
  end
  return members
end

-- Of all that the index tells but the marks; equal if nothing of that changes.
local function indexedOf(record) return sub(record, 20, 49) end

-- A record has the payloads of its events, and each is copied in order to look at it: scans stop at so many bytes, which
-- take a millisecond or two.
local READ_MAX = 4 * 1024 * 1024
local readBytes = 0

local function isReadEnough() return readBytes >= READ_MAX end

-- What is stored last of a saga: a record or a tombstone. False if there is nothing; a table if it is no list. Ends the
-- script if the saga is on its way to another server of the cluster: nothing is known of it here, not even EXISTS.
local function lastOf(key)
  local last = redis.pcall('LINDEX', key, '-1')
  if type(last) == 'string' then readBytes = readBytes + #last end
  if type(last) == 'table' then call('EXISTS', key) end
  return last
end

local function isText(value) return type(value) == 'string' end

local function isTombstone(record) return sub(record, 1, 1) == 'T' end

-- Whether a record is damaged, as far as a script looks at it. Nothing is done to its saga.
local function isTooShort(record) return #record < (isTombstone(record) and 27 or 58) end

-- The members of the index that a saga has, but for its marks: one, as most have, to three.
local function membersOf(id, record)
  local wakes, ended, place = indexedWakeUpOf(record), endOf(record), sub(record, 20, 20) .. sub(record, 28, 34) .. id
  if ended == NEVER then
    if wakes == YOUNG then return 'y' .. place end
    if wakes == NEVER then return 's' .. place end
    return 's' .. place, 'd' .. wakes .. id
  end
  place = place .. '\0' .. sub(record, 42, 49)
  if wakes == YOUNG then return 'f' .. place end
  if wakes == NEVER then return 's' .. place, 'e' .. ended .. id end
  return 's' .. place, 'e' .. ended .. id, 'd' .. wakes .. id
end

local function addToIndex(key, members)
  if #members == 0 then return end
  local arguments = {}
  for i, member in ipairs(members) do
    arguments[2 * i - 1], arguments[2 * i] = '0', member
  end
  call('ZADD', indexOf(key), unpack(arguments))
end

local function removeFromIndex(key, members)
  if #members > 0 then call('ZREM', indexOf(key), unpack(members)) end
end

-- Returns header and summary; empty if they cannot be read.
local function summaryOf(key)
  local record = lastOf(key)
  if not isText(record) or isTombstone(record) or isTooShort(record) then return '', '' end
  local header = redis.pcall('LINDEX', key, string.format('%d', -1 - struct.unpack('>H', record, 18)))
  if not isText(header) then return '', '' end
  return header, sub(record, 1, 58 + struct.unpack('>H', record, 57))
end

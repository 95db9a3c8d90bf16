-- How a saga is stored; every script begins with this. Of saga x in bucket 17:
--   alpha:{b17}:x      a list: the header, then a record per append. After the saga was purged: its tombstone only.
--   alpha:{b17}/index  a sorted set without scores, in the order of its members' bytes. Members:
--                        d time x          to be woken up then; perhaps earlier than the saga itself says,
--                        s state time x    in this state, begun then,
--                        e time x          ended then, and may be purged,
--                        v service time x  of those that have ended: the service takes part, begun then,
--                        g time x          a tombstone of a saga that ended then.
-- A record, first byte 1: kind J (a tombstone: T), sequence 2-5, token 6-13, state 14, end 15-21 (here a tombstone ends),
-- begin 22-28, wake-up time 29-35, the one in the index 36-42, hash of the header 43-50, length of the rest of the
-- summary 51-52, that rest, the events. A header: number of services 1-2, their names, the rest of the summary.
-- A name is a length of two bytes and its bytes. A time is seven bytes whose order is that of the times, NEVER at last.
local call, sub = redis.call, string.sub
local NEVER = string.rep('\255', 7)

local function bucketOf(key) return sub(key, 1, 11) end

local function indexOf(key) return sub(key, 1, 11) .. '/index' end

local function idOf(key) return sub(key, 13) end

local function number(time) return (struct.unpack('>I7', time)) end

local function endOf(record) return sub(record, 15, 21) end

local function indexedWakeUpOf(record) return sub(record, 36, 42) end

-- A record has the payloads of its events, and each is copied in order to look at it: scans stop at so many bytes, which
-- take a millisecond or two.
local READ_MAX = 4 * 1024 * 1024
local readBytes = 0

local function isReadEnough() return readBytes >= READ_MAX end

-- What is stored last of a saga: a record or a tombstone. False if there is nothing; a table if it is no list.
local function lastOf(key)
  local last = redis.pcall('LINDEX', key, -1)
  if type(last) == 'string' then readBytes = readBytes + #last end
  return last
end

local function isText(value) return type(value) == 'string' end

local function isTombstone(record) return sub(record, 1, 1) == 'T' end

-- Whether a record is damaged, as far as a script looks at it. Nothing is done to its saga.
local function isTooShort(record) return #record < (isTombstone(record) and 21 or 52) end

-- A saga has 500 branches at most.
local SERVICES_MAX = 1000

-- Appends the members of the index that a saga has (but for its wake-up time) to a list. False if the header is damaged:
-- then the list has those that the record tells.
local function addMembers(list, id, record, header)
  local begun = sub(record, 22, 28)
  list[#list + 1] = 's' .. sub(record, 14, 14) .. begun .. id
  if endOf(record) ~= NEVER then
    list[#list + 1] = 'e' .. endOf(record) .. id
    return pcall(function()
      local count, at = struct.unpack('>H', header)
      assert(count <= SERVICES_MAX)
      for _ = 1, count do
        local next = at + 2 + struct.unpack('>H', header, at)
        list[#list + 1] = 'v' .. sub(header, at, next - 1) .. begun .. id
        at = next
      end
    end)
  end
  return true
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

-- How a saga is stored; every script begins with this. Bucket 17, saga x:
--   alpha:{b17}:x               a list: the header, then one record per append. A purged saga: its tombstone only.
--   alpha:{b17}/due             sorted sets of saga ids: by wake-up time, which may be earlier than the saga's own,
--   alpha:{b17}/ended           by the time of its end, if it is one that may be purged,
--   alpha:{b17}/gone            tombstones, by the time of the saga's end,
--   alpha:{b17}/state/1         by the time of its begin, of each state,
--   alpha:{b17}/service/hotel   and of each service that takes part.
-- A record, first byte 1: kind J (a tombstone: T), sequence 2-5, token 6-13, state 14, end 15-22; a tombstone ends
-- here; wake-up time 23-30, hash of the header 31-38, length of the rest of the summary 39-40, that rest, the events.
-- A header: begin 1-8, number of services 9-10, their names, the rest of the summary.
-- A name is a length of two bytes and the bytes; times are milliseconds, numbers are big-endian.
local call, pcall, sub, unpack = redis.call, redis.pcall, string.sub, struct.unpack
local NEVER = 9223372036854775807

local function bucketOf(key) return sub(key, 1, 11) end

local function idOf(key) return sub(key, 13) end

local function versionOf(record) return sub(record, 1, 13) end

local function stateOf(record) return sub(record, 14, 14) end

local function endOf(record) return (unpack('>i8', record, 15)) end

local function wakeUpOf(record) return (unpack('>i8', record, 23)) end

local function beginOf(header) return (unpack('>i8', header)) end

local function servicesOf(header)
  local names = {}
  local count, at = unpack('>H', header, 9)
  for i = 1, count do names[i], at = unpack('>Hc0', header, at) end
  return names
end

-- What is stored last of a saga: a record or a tombstone. False if there is nothing; a table if it is no list.
local function lastOf(key) return pcall('LINDEX', key, -1) end

local function isText(value) return type(value) == 'string' end

local function isTombstone(record) return sub(record, 1, 1) == 'T' end

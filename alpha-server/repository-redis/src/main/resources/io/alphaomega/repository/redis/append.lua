-- Appends. KEYS: a saga per item; then perhaps others, only declared. ARGV: per item the version that the caller
-- expects (empty: none), the record, the header. Returns of each item that conflicts its number and the saga's version.

local function begin(key, record, header)
  local id, added = idOf(key), {}
  addMembers(added, id, record, header)
  if indexedWakeUpOf(record) ~= NEVER then added[#added + 1] = 'd' .. indexedWakeUpOf(record) .. id end
  addToIndex(key, added)
  call('RPUSH', key, header, record)
end

-- Most appends change nothing in the index: a wake-up time that is later than the one there is written when that has
-- come, by due.lua. The record then tells which one is there.
local function continue(key, last, record, header)
  local id, removed, added = idOf(key), {}, {}
  local was, is = indexedWakeUpOf(last), indexedWakeUpOf(record)
  if was ~= is then
    if was ~= NEVER and is ~= NEVER and number(is) > number(was) then
      record = sub(record, 1, 35) .. was .. sub(record, 43)
    else
      if was ~= NEVER then removed[1] = 'd' .. was .. id end
      if is ~= NEVER then added[1] = 'd' .. is .. id end
    end
  end
  local newHeader = sub(last, 43, 50) ~= sub(record, 43, 50)
  if sub(last, 14, 28) ~= sub(record, 14, 28) or (newHeader and endOf(record) ~= NEVER) then
    addMembers(removed, id, last, endOf(last) ~= NEVER and call('LINDEX', key, 0) or '')
    addMembers(added, id, record, header)
  end
  removeFromIndex(key, removed)
  addToIndex(key, added)
  if newHeader then call('LSET', key, 0, header) end
  call('RPUSH', key, record)
end

local conflicts = {}
for i = 1, #ARGV / 3 do
  local key, expected, last = KEYS[i], ARGV[3 * i - 2], lastOf(KEYS[i])
  local actual = isText(last) and sub(last, 1, 13) or ''
  if actual ~= expected or type(last) == 'table' or (last and isTooShort(last)) then
    -- Whoever loads what is no saga, or damaged, is told.
    conflicts[#conflicts + 1] = i
    conflicts[#conflicts + 1] = actual
  elseif last then
    continue(key, last, ARGV[3 * i - 1], ARGV[3 * i])
  else
    begin(key, ARGV[3 * i - 1], ARGV[3 * i])
  end
end
return conflicts

-- Deletes tombstones. KEYS: the sagas. ARGV: the time before which they must have ended. Returns how many were deleted.
local forgotten = 0
for _, key in ipairs(KEYS) do
  local set, id, last = bucketOf(key) .. '/gone', idOf(key), lastOf(key)
  if not isText(last) or not isTombstone(last) then
    call('ZREM', set, id)
  elseif endOf(last) < tonumber(ARGV[1]) then
    call('UNLINK', key)
    call('ZREM', set, id)
    forgotten = forgotten + 1
  end
end
return forgotten

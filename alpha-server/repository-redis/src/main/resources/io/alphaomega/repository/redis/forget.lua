-- Deletes tombstones. KEYS: the sagas; then perhaps others, only declared. ARGV: the time before which they must have
-- ended; then per saga the member of the index by which it was found. Returns how many were deleted.
local forgotten = 0
for i = 1, #ARGV - 1 do
  local key = KEYS[i]
  local id, last = idOf(key), lastOf(key)
  if isText(last) and isTombstone(last) and not isTooShort(last) and number(endOf(last)) < number(ARGV[1]) then
    removeFromIndex(key, { 'g' .. endOf(last) .. id })
    call('UNLINK', key)
    forgotten = forgotten + 1
  else
    removeFromIndex(key, { ARGV[1 + i] })
  end
end
return forgotten

// The writes of a table as Lua scripts: Redis runs each as one step, so a reader never sees half a change.
import { TOMBSTONES_KEPT } from './bus.ts';

// One hash per table. Fields: `generation`, `revision`, and per entry `e:<key>` with `<version>=<value>` or, for a deletion,
// `<version>x<revision>`. A version has at most 15 digits, so that Lua's doubles hold it exactly. A value of another type under
// our key is someone's mistake and would block the table for ever: a write replaces it.
const COMMON = `
local name = KEYS[1]
local kind = redis.call('TYPE', name)['ok']
if kind ~= 'hash' and kind ~= 'none' then redis.call('DEL', name) end
local function number_in(text, pattern)
  local digits = text and string.match(text, pattern)
  if digits and #digits <= 15 then return tonumber(digits) end
  return nil
end
local function entry(key)
  local raw = redis.call('HGET', name, 'e:' .. key)
  local version = number_in(raw, '^(%d+)[=x]')
  if version then return version, raw end
  return 0, false
end
local function text(number) return string.format('%.0f', number) end
local function encode(version, value_kind, value, revision)
  if value_kind == 'x' then return text(version) .. 'x' .. text(revision) end
  return text(version) .. '=' .. value
end
local function begin(fresh_generation, least_revision)
  local generation = redis.call('HGET', name, 'generation')
  if not generation then generation = fresh_generation end
  local revision = (number_in(redis.call('HGET', name, 'revision'), '^(%d+)$') or 0) + 1
  if revision < least_revision then revision = least_revision end
  redis.call('HSET', name, 'generation', generation, 'revision', text(revision))
  return generation, revision
end
local function forget_old_tombstones()
  local all = redis.call('HGETALL', name)
  local dead = {}
  for i = 1, #all, 2 do
    local at = string.sub(all[i], 1, 2) == 'e:' and number_in(all[i + 1], '^%d+x(%d+)$')
    if at then dead[#dead + 1] = { field = all[i], at = at } end
  end
  table.sort(dead, function(a, b) return a.at < b.at end)
  for i = 1, #dead - ${TOMBSTONES_KEPT} do redis.call('HDEL', name, dead[i].field) end
end
`;

/** ARGV: fresh generation, then per write key, expected version, `=` or `x`, value. Returns {1, generation, revision, version…} or {0, key, raw, key, raw…}. */
export const COMPARE_AND_SET = `${COMMON}
local there = { 0 }
local stale = false
for i = 2, #ARGV, 4 do
  local version, raw = entry(ARGV[i])
  if version ~= tonumber(ARGV[i + 1]) then stale = true end
  if raw then
    there[#there + 1] = ARGV[i]
    there[#there + 1] = raw
  end
end
if stale then return there end
local generation, revision = begin(ARGV[1], 1)
local reply = { 1, generation, text(revision) }
local deletes = false
for i = 2, #ARGV, 4 do
  local expected = tonumber(ARGV[i + 1])
  local version = expected == 0 and revision or expected + 1
  redis.call('HSET', name, 'e:' .. ARGV[i], encode(version, ARGV[i + 2], ARGV[i + 3], revision))
  reply[#reply + 1] = text(version)
  if ARGV[i + 2] == 'x' then deletes = true end
end
if deletes then forget_old_tombstones() end
return reply
`;

/** ARGV: fresh generation, key, version, `=` or `x`, value. Returns 1 when it was written. */
export const RESTORE = `${COMMON}
local version = entry(ARGV[2])
local restored = tonumber(ARGV[3])
if version >= restored then return 0 end
local _, revision = begin(ARGV[1], restored)
redis.call('HSET', name, 'e:' .. ARGV[2], encode(restored, ARGV[4], ARGV[5], revision))
if ARGV[4] == 'x' then forget_old_tombstones() end
return 1
`;

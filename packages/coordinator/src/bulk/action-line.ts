// What does one action line say? `{"index":{"_index":"logs","_id":"1"}}` and all its variants.
import type { OperationKind } from '@weir/shared';
import type { ActionMembers } from './action-members.ts';
import { duplicateKey } from './duplicate-key.ts';
import { type LineCursor, shown } from './line-cursor.ts';

const ACTIONS: readonly OperationKind[] = ['index', 'create', 'update', 'delete'];
const ALLOWED = '[create, delete, index, update]';
/** An id of 512 bytes and an index name of 255, every byte escaped, take 5 kB; a routing value may be longer. */
export const MAX_ACTION_LINE_BYTES = 64 * 1024;

/** Reads the action line the cursor was put on: its kind is returned, its metadata stand in `members`. Throws an error that names the line and what is wrong. */
export function readActionLine(cursor: LineCursor, members: ActionMembers): OperationKind {
  cursor.take('START_OBJECT');
  const first = cursor.peek();
  if (first !== 'VALUE_STRING') cursor.failFound('FIELD_NAME', first);
  const kind = cursor.word(ACTIONS) as OperationKind;
  if (!ACTIONS.includes(kind)) cursor.fail(`expected one of ${ALLOWED} but found [${shown(kind)}]`);
  cursor.take('COLON');
  cursor.take('START_OBJECT');
  members.read(cursor);
  readRest(cursor, kind);
  return kind;
}

/** Keys beside the action object are ignored, but the line has to be one JSON object all the same. */
function readRest(cursor: LineCursor, kind: OperationKind): void {
  const next = cursor.peek();
  if (next !== 'COMMA') {
    cursor.take('END_OBJECT');
    const last = cursor.peek();
    if (last !== 'END_OF_LINE') cursor.failFound('END_OF_LINE', last);
    return;
  }
  const whole = `{"${kind}":0${cursor.rest()}`;
  try {
    JSON.parse(whole);
  } catch {
    cursor.fail('what follows the action object is not valid JSON');
  }
  const twice = duplicateKey(whole);
  if (twice !== undefined) cursor.fail(`duplicate key [${shown(twice)}]`);
}

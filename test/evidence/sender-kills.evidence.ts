import { afterAll, beforeAll } from '@jest/globals';
import { drawn } from '../support/drawn.js';
import { describeKills } from './sender-kills/describe-kills.js';
import { SENDER_POINTS } from './sender-kills/kill-points.js';
import { PLAIN_CALL } from './sender-kills/kill-subjects.js';
import { REFUND } from './sender-kills/refund-subject.js';
import { SETTLEMENT } from './sender-kills/settlement-subject.js';
import { KillWorld } from './sender-kills/kill-world.js';

/**
 * The long form is `npm run evidence -- sender-kills`: all subjects; what is drawn is the sender's own, whoever has something
 * sent. Calls that nobody ordered come last: the invariants that they break are checked of the others.
 */
const SUBJECTS = drawn([SETTLEMENT, REFUND, PLAIN_CALL], 1);

let world: KillWorld;
beforeAll(async () => {
  world = await KillWorld.open();
});
afterAll(() => world?.close());

for (const subject of SUBJECTS)
  describeKills(() => world, subject, drawn([...subject.points, ...SENDER_POINTS], 2));

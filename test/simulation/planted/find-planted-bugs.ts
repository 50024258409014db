// How many merchant-days go by until each planted bug is found: `npm run simulate -- planted --bugs float,charge --days 100`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { FAULT_LEVELS } from '../faults/faults.js';
import { Runs } from '../run/runs.js';
import { BugHunt, DAYS, type SoundRuns } from './bug-hunt.js';
import { PLANTED_BUGS } from './planted-bugs.js';

const { values } = parseArgs({
  options: {
    /** Words of names, with commas; absent: all bugs. */
    bugs: { type: 'string', default: '' },
    /** Bugs of this kind alone: `always`, `kill`, … */
    shows: { type: 'string' },
    /** The most merchant-days for a bug. */
    days: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    /** Seeds in their order, with commas, in place of those from `seed` on. */
    seeds: { type: 'string' },
    merchants: { type: 'string', default: '20' },
    faults: { type: 'string', default: 'all' },
    /** So many of each merchant a day. */
    acts: { type: 'string', default: '3' },
    'at-once': { type: 'string', default: '1' },
    /** Keeps what the sound code shows from one call to the next. */
    sound: { type: 'string' },
  },
});
const faults = FAULT_LEVELS.find((level) => level === values.faults);
if (faults === undefined) throw new Error('The faults are none, some or all.');
const words = values.bugs.split(',').filter((word) => word !== '');
const wanted = PLANTED_BUGS.filter(
  ({ name, shows }) =>
    (words.length === 0 || words.some((word) => name.includes(word))) &&
    (values.shows === undefined || values.shows === shows),
);
const merchants = Number(values.merchants);
const seeds =
  values.seeds?.split(',').map(Number) ??
  Array.from(
    { length: Math.ceil(Number(values.days) / (merchants * DAYS)) },
    (_, place) => Number(values.seed) + place,
  );
const known =
  values.sound !== undefined && existsSync(values.sound)
    ? (JSON.parse(readFileSync(values.sound, 'utf8')) as SoundRuns)
    : {};

const runs = await Runs.open(process.cwd(), Number(values['at-once']));
try {
  const hunt = new BugHunt(
    runs,
    process.cwd(),
    { seeds, merchants, actsADay: Number(values.acts), faults },
    known,
  );
  await hunt.learnSound(Number(values['at-once']));
  if (values.sound !== undefined) writeFileSync(values.sound, JSON.stringify(hunt.sound));
  process.stdout.write(`the sound code differs by: ${[...hunt.forgiven].join('; ')}\n`);
  const left = [...wanted];
  const huntOn = async () => {
    for (let bug = left.shift(); bug !== undefined; bug = left.shift())
      process.stdout.write(`${bug.name}, ${await hunt.find(bug)}\n`);
  };
  await Promise.all(Array.from({ length: Number(values['at-once']) }, huntOn));
} finally {
  await runs.close();
}

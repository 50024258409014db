// Counts the merchant-days until each mutant is found: `npm run simulate -- mutants --names float,charge --days 100`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readMutants } from '../../mutants/mutants.js';
import { FAULT_LEVELS } from '../faults/faults.js';
import { Runs } from '../run/runs.js';
import { DAYS, MutantHunt, type SoundRuns } from './mutant-hunt.js';

const { values } = parseArgs({
  options: {
    /** Words of names, with commas; absent: all mutants. */
    names: { type: 'string', default: '' },
    trigger: { type: 'string' },
    days: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    /** Seeds in their order, with commas, in place of those from `seed` on. */
    seeds: { type: 'string' },
    merchants: { type: 'string', default: '20' },
    faults: { type: 'string', default: 'all' },
    acts: { type: 'string', default: '3' },
    'at-once': { type: 'string', default: '1' },
    /** A file that keeps the runs of the unchanged code for the next call. */
    sound: { type: 'string' },
  },
});
const faults = FAULT_LEVELS.find((level) => level === values.faults);
if (faults === undefined) throw new Error('The faults are none, some or all.');
const words = values.names.split(',').filter((word) => word !== '');
const mutants = readMutants(process.cwd()).filter(
  ({ name, trigger }) =>
    (words.length === 0 || words.some((word) => name.includes(word))) &&
    (values.trigger === undefined || values.trigger === trigger),
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
  const hunt = new MutantHunt(
    runs,
    process.cwd(),
    mutants,
    { seeds, merchants, actsADay: Number(values.acts), faults },
    known,
  );
  await hunt.learnSound(Number(values['at-once']));
  if (values.sound !== undefined) writeFileSync(values.sound, JSON.stringify(hunt.sound));
  process.stdout.write(`rules that fail with the unchanged code: ${[...hunt.forgiven].join('; ')}\n`);
  const left = [...mutants];
  const huntOn = async () => {
    for (let mutant = left.shift(); mutant !== undefined; mutant = left.shift())
      process.stdout.write(`${mutant.name}, ${await hunt.find(mutant)}\n`);
  };
  await Promise.all(Array.from({ length: Number(values['at-once']) }, huntOn));
} finally {
  await runs.close();
}

// A primary lost in each way that matters, under load: `npm run rehearse -- failover`. Names of scenes may follow; TIMES is how
// often the primary is killed, 20 unless set.
import { asynchronous } from './failover/asynchronous.js';
import { cancelled } from './failover/cancelled.js';
import { kills } from './failover/kills.js';
import { lag } from './failover/lag.js';
import { partition } from './failover/partition.js';
import { patroni } from './failover/patroni.js';
import { Rehearsal } from './rehearsal.js';

const SCENES = { kills, partition, lag, cancelled, asynchronous, patroni };
type Name = keyof typeof SCENES;

const ALL = Object.keys(SCENES) as Name[];
const named = process.argv.slice(2) as Name[];
const unknown = named.filter((name) => !ALL.includes(name));
if (unknown.length > 0) throw new Error(`No such scene: ${unknown.join(', ')}. There are ${ALL.join(', ')}.`);
for (const name of named.length > 0 ? named : ALL) {
  process.stdout.write(`\nScene ${name}\n`);
  await Rehearsal.run((rehearsal) => SCENES[name](rehearsal));
}

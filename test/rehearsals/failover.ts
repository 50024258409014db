// The primary is lost under load: `npm run rehearse -- failover`. Names of scenes may follow; TIMES is how
// often the primary is killed, 20 unless set.
import { kills } from './failover/kills.js';
import { patroni } from './failover/patroni.js';
import { Rehearsal } from './rehearsal.js';

const SCENES = { kills, patroni };
type Name = keyof typeof SCENES;

const ALL = Object.keys(SCENES) as Name[];
const named = process.argv.slice(2) as Name[];
const unknown = named.filter((name) => !ALL.includes(name));
if (unknown.length > 0) throw new Error(`No such scene: ${unknown.join(', ')}. There are ${ALL.join(', ')}.`);
for (const name of named.length > 0 ? named : ALL) {
  process.stdout.write(`\nScene ${name}\n`);
  await Rehearsal.run((rehearsal) => SCENES[name](rehearsal));
}

// One run of the simulation in a process of its own: simulated time and seeded randomness are in place before anything else is loaded.
import { takeCoverage } from 'node:v8';
import { countWebCrypto } from './process/threads.js';
import { seedEntropy } from './process/seeded-entropy.js';
import { SimulatedTime } from './process/simulated-time.js';
import { Random } from './random.js';
import type { RunOrder, RunReport } from './run/asked-run.js';

const order = JSON.parse(process.argv[2]!) as RunOrder;
const random = new Random(order.seed);
const time = new SimulatedTime(Date.parse(order.begin));
time.install();
// Each simulated process listens for signals.
process.setMaxListeners(0);
const entropy = random.branch();
seedEntropy(entropy);
countWebCrypto();

const { perform } = await import('./run/perform.js');
const report: RunReport = await perform(order, random, time, entropy);
// Whoever gets the report ends this process before V8 would write this by itself.
if (process.env['NODE_V8_COVERAGE'] !== undefined) takeCoverage();
process.send!(report);

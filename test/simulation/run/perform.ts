import 'reflect-metadata';
import { openSync, writeFileSync, writeSync } from 'node:fs';
import { JsonLogger } from '#shared/platform/logging/logger.js';
import { acts } from '../acts/acts.js';
import { rememberJumps } from '../chain/machine.js';
import { EvmChainSide } from '../outside/evm-chain-side.js';
import type { SimulatedTime } from '../process/simulated-time.js';
import { SpecificationModel } from '../model/specification-model.js';
import { type Random, emphasised } from '../random.js';
import type { RunOrder, RunReport } from './asked-run.js';
import { drawnSecret, serviceSettings } from './settings.js';
import { openSimulation } from './simulation.js';

/** So many times as often as the others, or one part in as many, a seed has one kind of act. */
const MOST_OF_AN_ACT = 4;

/** @param entropy what the processes draw from */
export async function perform(
  order: RunOrder,
  random: Random,
  time: SimulatedTime,
  entropy: Random,
): Promise<RunReport> {
  const began = time.now;
  await rememberJumps();
  const gasKey = drawnSecret(random).toString('hex');
  const inclusion = random.branch();
  const chain = await EvmChainSide.furnish(began, `0x${gasKey}`, inclusion);
  const { folder, databaseUrl } = order;
  const { network } = chain.network;
  const environment = serviceSettings(
    folder,
    databaseUrl,
    network,
    chain.configuration,
    gasKey,
    random.branch(),
  );
  const model = new SpecificationModel();
  const simulation = await openSimulation({
    ...order,
    random,
    restarted: [entropy, inclusion],
    time,
    chain,
    environment,
    model,
    acts: emphasised(acts, random.branch(), MOST_OF_AN_ACT),
    logger: new JsonLogger({ level: order.isLogged ? 'warn' : 'silent' }),
    print: printed(order),
  });
  const failure = await simulation.run().then(
    () => null,
    (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error)),
  );
  await simulation.close();
  if (order.chainFile !== undefined) writeFileSync(order.chainFile, JSON.stringify(chain.recorded()));
  const { history, days } = simulation;
  const isDone = new Set(days.drawn.filter((drawn) => drawn.isDone).map(({ name }) => name));
  return {
    seed: order.seed,
    failure,
    last: failure === null ? [] : history.last,
    differences: history.differences,
    digest: history.digest,
    lines: history.length,
    acts: days.drawn,
    faults: Object.fromEntries(simulation.counts()),
    missing: [...acts.map(({ name }) => name).filter((name) => !isDone.has(name)), ...simulation.missing()],
    days: (time.now - began) / 86_400_000,
  };
}

function printed({ isPrinted, historyFile }: RunOrder): (line: string) => void {
  const file = historyFile === undefined ? null : openSync(historyFile, 'w');
  return (line) => {
    if (isPrinted) process.stdout.write(`${line}\n`);
    if (file !== null) writeSync(file, `${line}\n`);
  };
}

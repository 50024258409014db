import 'reflect-metadata';
import { JsonLogger } from '#shared/platform/logging/logger.js';
import { acts } from '../acts/acts.js';
import { EvmChainSide } from '../outside/evm-chain-side.js';
import type { SimulatedTime } from '../process/simulated-time.js';
import { SpecificationModel } from '../model/specification-model.js';
import type { Random } from '../random.js';
import type { RunOrder, RunReport } from './run-order.js';
import { drawnSecret, serviceSettings } from './settings.js';
import { openSimulation } from './simulation.js';

export async function perform(order: RunOrder, random: Random, time: SimulatedTime): Promise<RunReport> {
  const began = time.now;
  const gasKey = drawnSecret(random).toString('hex');
  const chain = await EvmChainSide.furnish(began, `0x${gasKey}`, random.branch());
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
    time,
    chain,
    environment,
    model,
    acts,
    logger: new JsonLogger({ level: order.isLogged ? 'warn' : 'silent' }),
    ...(order.isPrinted && { print: (line: string) => process.stdout.write(`${line}\n`) }),
  });
  const failure = await simulation.run().then(
    () => null,
    (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error)),
  );
  await simulation.close();
  const { history, days, faults, troubles } = simulation;
  return {
    seed: order.seed,
    failure,
    last: failure === null ? [] : history.last,
    differences: history.differences,
    digest: history.digest,
    lines: history.length,
    acts: Object.fromEntries(days.counts),
    faults: Object.fromEntries([...faults.counts, ...troubles.counts]),
    days: (time.now - began) / 86_400_000,
  };
}

import type { LoggerService } from '@nestjs/common';
import type { Act } from '../acts/world.js';
import type { Model } from '../facts/difference.js';
import { type FaultLevel, StepFaults } from '../faults/faults.js';
import { Troubles } from '../faults/troubles.js';
import type { EvmChainSide } from '../outside/evm-chain-side.js';
import { SimulatedReceivers } from '../outside/receivers.js';
import { SimulatedTickers } from '../outside/tickers.js';
import { Clock } from '../process/clock.js';
import { within } from '../process/current-process.js';
import { seamDatabases } from '../process/database-seam.js';
import { seamServers } from '../process/http-seam.js';
import { seamRequests } from '../process/network-seam.js';
import { seamStrategies } from '../process/passport-seam.js';
import { Pump } from '../process/pump.js';
import { loadBuild, type ServiceBuild } from '../process/service-build.js';
import { ServiceProcess } from '../process/service-process.js';
import { SimulatedDatabase } from '../process/simulated-database.js';
import type { SimulatedTime } from '../process/simulated-time.js';
import type { Random } from '../random.js';
import { Callers } from './callers.js';
import { Days } from './days.js';
import { Fleet } from './fleet.js';
import { foundMerchant } from './found-merchants.js';
import { History } from './history.js';
import { networkFact } from './settings.js';
import { SimulatedWorld } from './simulated-world.js';

export interface SimulationOptions {
  readonly random: Random;
  readonly time: SimulatedTime;
  /** A copy of the prepared and migrated database. */
  readonly databaseUrl: string;
  /** The folder whose `src` is run. */
  readonly root: string;
  readonly days: number;
  readonly merchants: number;
  readonly actsADay: number;
  readonly faults: FaultLevel;
  readonly acts: readonly Act[];
  readonly model: Model;
  readonly chain: EvmChainSide;
  readonly logger: LoggerService;
  readonly goesOn: boolean;
  readonly forgiven?: readonly string[];
  /** The settings of all processes. */
  readonly environment: Readonly<Record<string, string>>;
  readonly print?: (line: string) => void;
}

/** Everything of one run, put together. */
export interface Simulation {
  readonly history: History;
  readonly days: Days;
  readonly faults: StepFaults;
  readonly troubles: Troubles;
  /** @throws DifferenceFound, Stuck, or an error of the simulator itself */
  run(): Promise<void>;
  close(): Promise<void>;
}

export async function openSimulation(options: SimulationOptions): Promise<Simulation> {
  const { random, time, chain } = options;
  const database = await SimulatedDatabase.open(options.databaseUrl);
  const clock = new Clock(time, database);
  await clock.goTo(time.now);
  const history = new History(options.model, options.goesOn, options.forgiven ?? [], options.print);
  const pump = new Pump(random.branch(), clock, (...step) => history.step(...step));
  seamDatabases(pump, database);
  seamServers();
  seamStrategies();
  const receivers = new SimulatedReceivers(
    () => clock.now,
    (fact) => history.fact(fact),
  );
  const tickers = new SimulatedTickers(random.branch());
  seamRequests(pump, {
    async answer(request) {
      const taken = receivers.take(request);
      if (taken !== undefined) return taken;
      const answered = chain.answer(request) ?? tickers.answer(request);
      if (answered === undefined) throw new Error(`Nobody answers at ${request.url}.`);
      return answered;
    },
  });
  const { network } = chain.network;
  const { environment } = options;
  const fleet = new Fleet(pump, database, environment, random.branch());
  const build = await loadBuild(options.root, options.logger, (loop) => fleet.add(loop));
  const faults = new StepFaults(random.branch(), database, options.faults, (process) =>
    fleet.kill(process as ServiceProcess),
  );
  pump.fates = faults;
  const callers = new Callers(
    clock,
    history,
    random.branch(),
    () => fleet.apis,
    () => faults.isAtWork,
  );
  const session = operatorSession(build, environment);
  const world = new SimulatedWorld(random.branch(), clock, history, callers, chain, receivers, () => session);
  const troubles = new Troubles(random.branch(), options.faults, {
    chain,
    fleet,
    faults,
    history,
    clock,
    network,
  });
  const days = new Days({
    ...options,
    troubles,
    random: random.branch(),
    pump,
    clock,
    fleet,
    build,
    world,
    history,
    database,
    faults,
  });
  history.fact(networkFact(network, clock.now, chain.configuration));
  return {
    history,
    days,
    faults,
    troubles,
    async run() {
      await days.begin((number) => foundMerchant({ ...foundingBy(world), history, random }, number, network));
      await days.go();
    },
    close: () => database.close(),
  };
}

/** The operator's program runs beside the processes, and is never killed. */
function operatorSession(build: ServiceBuild, environment: Readonly<Record<string, string>>) {
  const operator = new ServiceProcess('operator', 'worker');
  const session = build.operator(environment);
  return { run: (...words: readonly string[]) => within(operator, () => session.run(...words)) };
}

function foundingBy(world: SimulatedWorld) {
  return {
    now: () => world.now(),
    call: world.call.bind(world),
    async operator(...words: readonly string[]) {
      const outcome = await world.operator(...words);
      if ('failed' in outcome) throw new Error(`${words.join(' ')}: ${outcome.failed}`);
      return outcome.printed;
    },
  };
}

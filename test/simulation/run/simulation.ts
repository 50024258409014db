import type { LoggerService } from '@nestjs/common';
import type { Act } from '../acts/world.js';
import type { Model } from '../facts/fact.js';
import { StepFaults, Proxy } from '../faults/faults.js';
import { Troubles } from '../faults/troubles.js';
import type { EvmChainSide } from '../outside/evm-chain-side.js';
import { SimulatedReceivers, SimulatedTickers } from '../outside/receivers.js';
import { Clock, type SimulatedTime } from '../process/simulated-time.js';
import { within, type Mortal, ServiceProcess } from '../process/current-process.js';
import { seamDatabases } from '../process/database-seam.js';
import { seamServers, seamStrategies } from '../process/http-seam.js';
import { seamRequests } from '../process/network-seam.js';
import { Pump } from '../process/pump.js';
import { loadBuild, type ServiceBuild } from '../process/service-build.js';
import { SimulatedDatabase } from '../process/simulated-database.js';
import type { Random } from '../random.js';
import { Callers } from './callers.js';
import { Days } from './days.js';
import { Fleet } from './fleet.js';
import { foundMerchant } from './found-merchants.js';
import { History, SimulatedWorld } from './history.js';
import type { RunOrder } from './asked-run.js';
import { networkFact } from './settings.js';

interface SimulationOptions extends RunOrder {
  readonly random: Random;
  readonly restarted: readonly Random[];
  readonly time: SimulatedTime;
  readonly acts: readonly Act[];
  readonly model: Model;
  readonly chain: EvmChainSide;
  readonly logger: LoggerService;
  readonly environment: Readonly<Record<string, string>>;
  readonly print: (line: string) => void;
}

export interface Simulation {
  readonly history: History;
  readonly days: Days;
  counts(): (readonly [string, number])[];
  missing(): readonly string[];
  /** @throws DifferenceFound, Stuck, or an error of the simulator itself */
  run(): Promise<void>;
  close(): Promise<void>;
}

export async function openSimulation(options: SimulationOptions): Promise<Simulation> {
  const { random, time, chain, forgiven = [], onlyRule, onlyFaults = null, covers = false } = options;
  const restarted = [...options.restarted];
  const source = () => {
    const one = random.branch();
    restarted.push(one);
    return one;
  };
  const database = await SimulatedDatabase.open(options.databaseUrl);
  const clock = new Clock(time, database);
  await clock.goTo(time.now);
  const history = new History(
    options.model,
    options.goesOn,
    (rule) => !forgiven.includes(rule) && rule === (onlyRule ?? rule),
    options.print,
  );
  const pump = new Pump(source(), clock, (...step) => history.step(...step));
  seamDatabases(pump, database);
  seamServers();
  seamStrategies();
  const receivers = new SimulatedReceivers(
    () => clock.now,
    (fact) => history.fact(fact),
  );
  const tickers = new SimulatedTickers(source());
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
  const fleet = new Fleet(pump, database, environment, source());
  const load = (root: string) => loadBuild(root, options.logger, (loop) => fleet.add(loop));
  const build = await load(options.root);
  fleet.builds = options.beside === undefined ? [build] : [build, await load(options.beside)];
  const kill = (process: Mortal) => fleet.kill(process as ServiceProcess);
  const faults = new StepFaults(source(), database, options.faults, kill, covers);
  faults.only = onlyFaults;
  pump.fates = faults;
  const proxy = new Proxy(source(), options.faults, faults);
  const callers = new Callers(
    clock,
    history,
    source(),
    () => fleet.apis,
    () => faults.isAtWork,
    proxy,
    (ms, goOn) => world.later(ms, goOn),
  );
  const session = operatorCommandRunner(build, environment);
  const world: SimulatedWorld = new SimulatedWorld(
    source(),
    clock,
    history,
    callers,
    chain,
    receivers,
    () => session,
  );
  const places = { chain, fleet, faults, history, clock, network };
  const troubles = new Troubles(source(), options.faults, places, covers);
  troubles.only = onlyFaults;
  const days = new Days({
    ...options,
    restarted,
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
    counts: () => [...faults.counts, ...proxy.counts, ...troubles.counts],
    missing: () => [...faults.missing, ...troubles.missing].map(({ name }) => name),
    async run() {
      await days.begin((number) => foundMerchant({ ...foundingBy(world), history, random }, number, network));
      await days.go();
    },
    close: () => database.close(),
  };
}

/** The operator's program runs beside the processes, and is never killed. */
function operatorCommandRunner(build: ServiceBuild, environment: Readonly<Record<string, string>>) {
  const operator = new ServiceProcess('operator', 'worker', true);
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

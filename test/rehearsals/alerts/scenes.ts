import type { Fault } from './fault.js';
import {
  lossFound,
  partitionMissing,
  postgresEnded,
  poolExhausted,
  tableLocked,
} from './faults-of-the-database.js';
import {
  blocksByTheThousand,
  endpointOnAnotherChain,
  gasKeyEmptied,
  gasKeyUsedElsewhere,
  nodeHeld,
} from './faults-of-networks.js';
import {
  apiEnded,
  eventLoopHeld,
  signingKeyEnds,
  signingKeysFileBroken,
  workerEnded,
} from './faults-of-processes.js';
import {
  addressesUnused,
  destinationAway,
  eventRefused,
  paymentTakenAway,
  pruningRefused,
  receiverFails,
} from './faults-of-work.js';

/**
 * The faults of a scene begin one after another and last until all their rules fire. Every rule of alerts.yml is in the
 * `fires` of one fault; a new rule needs one here, in a scene of its own or beside faults that do not hide it.
 */
export const SCENES: readonly (readonly Fault[])[] = [
  [apiEnded],
  [eventLoopHeld, pruningRefused],
  [signingKeyEnds, partitionMissing],
  [signingKeysFileBroken, addressesUnused],
  [poolExhausted],
  [tableLocked],
  [postgresEnded],
  [lossFound],
  [workerEnded],
  // Without a gas key nothing is settled, which the payment that is taken away relies on.
  [gasKeyEmptied, receiverFails, eventRefused, paymentTakenAway],
  [destinationAway],
  [gasKeyUsedElsewhere],
  [nodeHeld],
  [endpointOnAnotherChain],
  // The last, as the chain is longer by tens of thousands of blocks afterwards.
  [blocksByTheThousand],
];

/** The scenes in which one of these rules fires. @throws Error that names those that there are not */
export function scenesOf(rules: readonly string[]): (readonly Fault[])[] {
  const fired = SCENES.flat().flatMap(({ fires }) => fires);
  const unknown = rules.filter((rule) => !fired.includes(rule));
  if (unknown.length > 0) throw new Error(`There is no rule ${unknown.join(', ')}.`);
  return SCENES.filter((faults) => faults.some(({ fires }) => fires.some((rule) => rules.includes(rule))));
}

/** @throws Error that names the rules without a fault, and those that there are not */
export function demandFaultOfEach(rules: readonly string[]): void {
  const faults = SCENES.flat();
  const fired = faults.flatMap(({ fires }) => fires);
  const named = [...fired, ...faults.flatMap(({ mayFire = [] }) => mayFire)];
  const problems = [
    ...rules.filter((rule) => !fired.includes(rule)).map((rule) => `${rule} has no fault.`),
    ...new Set(named.filter((rule) => !rules.includes(rule)).map((rule) => `There is no rule ${rule}.`)),
    ...fired.filter((rule, at) => fired.indexOf(rule) < at).map((rule) => `${rule} has two faults.`),
  ];
  if (problems.length > 0) throw new Error(problems.join(' '));
}

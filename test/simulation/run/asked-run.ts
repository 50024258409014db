import { parseArgs } from 'node:util';
import { FAULT_LEVELS } from '../faults/faults.js';
import type { Asked } from './runs.js';

/** @returns the first run that a command line asks for, and what else it says; undefined where it cannot be read */
export function askedRun() {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      seeds: { type: 'string', default: '1' },
      'at-once': { type: 'string', default: '1' },
      days: { type: 'string', default: '10' },
      merchants: { type: 'string', default: '10' },
      acts: { type: 'string', default: '3' },
      faults: { type: 'string', default: 'all' },
      root: { type: 'string', default: process.cwd() },
      beside: { type: 'string' },
      cover: { type: 'boolean', default: false },
      print: { type: 'boolean', default: false },
      'go-on': { type: 'boolean', default: false },
      logs: { type: 'boolean', default: false },
      anvil: { type: 'boolean', default: false },
      shrink: { type: 'boolean', default: false },
      'most-runs': { type: 'string', default: '40' },
      'only-rule': { type: 'string' },
      'only-faults': { type: 'string' },
      'only-acts': { type: 'string' },
    },
  });
  const seed = Number(values.seed ?? Math.ceil(Math.random() * 1_000_000));
  const faults = FAULT_LEVELS.find((level) => level === values.faults);
  if (faults === undefined || !Number.isSafeInteger(seed)) return undefined;
  const { 'only-rule': onlyRule, 'only-faults': onlyFaults, 'only-acts': onlyActs } = values;
  const asked: Asked = {
    seed,
    days: Number(values.days),
    merchants: Number(values.merchants),
    actsADay: Number(values.acts),
    faults,
    root: values.root,
    ...(values.beside !== undefined && { beside: values.beside }),
    ...(values.cover && { covers: true }),
    isPrinted: values.print,
    goesOn: values['go-on'],
    isLogged: values.logs,
    ...(onlyRule !== undefined && { onlyRule }),
    ...(onlyFaults !== undefined && { onlyFaults: onlyFaults.split(',') }),
    ...(onlyActs !== undefined && { onlyActs: onlyActs.split(',').map(Number) }),
  };
  return {
    asked,
    seeds: Number(values.seeds),
    atOnce: Number(values['at-once']),
    isRepeatedOnAnvil: values.anvil,
    shrinks: values.shrink,
    mostRuns: Number(values['most-runs']),
  };
}

export function commandOf(asked: Asked): string {
  const { seed, days, merchants, actsADay, faults, root, beside, covers, onlyRule, onlyFaults, onlyActs } =
    asked;
  return [
    `npm run simulate -- --seed ${seed} --days ${days} --merchants ${merchants} --acts ${actsADay}`,
    `--faults ${faults}`,
    ...(covers ? ['--cover'] : []),
    ...(root === process.cwd() ? [] : [`--root ${root}`]),
    ...(beside === undefined ? [] : [`--beside ${beside}`]),
    ...(onlyRule === undefined ? [] : [`--only-rule '${onlyRule}'`]),
    ...(onlyFaults === undefined ? [] : [`--only-faults '${onlyFaults.join(',')}'`]),
    ...(onlyActs === undefined ? [] : [`--only-acts '${onlyActs.join(',')}'`]),
  ].join(' ');
}

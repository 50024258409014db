import passport from 'passport';
import { currentProcess } from './current-process.js';

interface Strategies {
  use(...registered: readonly [{ name?: string }] | readonly [string, object]): unknown;
  _strategy(name: string): unknown;
}

/**
 * Strategies are registered on the one instance of passport. Each process uses those that it has registered itself: another's would
 * prove credentials on another's connections.
 */
export function seamStrategies(): void {
  const instance = passport as unknown as Strategies;
  const own = new WeakMap<object, Map<string, unknown>>();
  const use = instance.use.bind(instance);
  instance.use = (...registered) => {
    const process = currentProcess();
    const [name, strategy] = registered.length === 2 ? registered : [registered[0].name, registered[0]];
    if (process !== undefined && name !== undefined)
      own.set(process, (own.get(process) ?? new Map<string, unknown>()).set(name, strategy));
    return use(...registered);
  };
  const find = instance._strategy.bind(instance);
  instance._strategy = (name) => {
    const process = currentProcess();
    return (process === undefined ? undefined : own.get(process)?.get(name)) ?? find(name);
  };
}

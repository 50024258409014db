import { emphasis } from '../emphasis.js';
import type { Places, Trouble } from './trouble.js';

/** Clocks step by a minute in the middle, by half a day at most. */
const MIDDLE_STEP_MS = 60_000;
const LONGEST_STEPS = 720;

/** Troubles of the service's processes. */
export function processTroubles({ random, fleet }: Places): Trouble[] {
  return [
    {
      name: 'a process is killed between its turns',
      weight: 4,
      begin: async () => {
        const [one] = random.shuffled(fleet.living);
        if (one !== undefined) await fleet.kill(one);
      },
    },
    {
      name: 'a clock steps',
      weight: 2,
      begin: () => {
        const [one] = random.shuffled(fleet.living);
        if (one === undefined) return;
        one.clockSkew = random.oneOf([-1, 1]) * Math.round(MIDDLE_STEP_MS * emphasis(random, LONGEST_STEPS));
        return () => void (one.clockSkew = 0);
      },
    },
    {
      name: 'a loop stays behind',
      weight: 3,
      begin: () => {
        const [name] = random.shuffled(fleet.loopNames);
        if (name === undefined) return;
        fleet.resting.add(name);
        return () => void fleet.resting.delete(name);
      },
    },
    // Two releases are there to be changed over.
    { name: 'a rolling restart', weight: fleet.builds.length > 1 ? 20 : 1, begin: () => fleet.rollOut() },
  ];
}

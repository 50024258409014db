import type { Places, Trouble } from './trouble.js';

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
        one.clockSkew = random.whole(-120, 120) * 1_000;
        return () => void (one.clockSkew = 0);
      },
    },
    // Two releases are there to be changed over.
    { name: 'a rolling restart', weight: fleet.builds.length > 1 ? 20 : 1, begin: () => fleet.rollOut() },
  ];
}

import type { Places, Trouble } from './trouble.js';

/** A restart comes after so many of the next statements at most, so that it meets some under way. */
const MOST_STATEMENTS = 60;

/** Troubles of the database. */
export function databaseTroubles({ random, faults }: Places): Trouble[] {
  return [
    {
      name: 'the database is away',
      weight: 1,
      begin: () => {
        faults.isDatabaseAway = true;
        return () => void (faults.isDatabaseAway = false);
      },
    },
    {
      name: 'the database is restarted',
      weight: 1,
      begin: () => faults.restartDatabaseIn(random.whole(0, MOST_STATEMENTS)),
    },
  ];
}

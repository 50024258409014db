import type { NetworkCatalogue } from '../../../networks/contract/network-catalogue.js';
import type { StoredReading } from './explanation-queries.js';
import type { ReadingShown } from './explanation-view.js';

/** Whether each network is read as far as its configuration wants; one that is configured no more is read no more. */
export function judged(readings: readonly StoredReading[], catalogue: NetworkCatalogue): ReadingShown[] {
  return readings.map((reading) => {
    const most = catalogue.network(reading.network)?.maxLagSeconds;
    const isBehind =
      most === undefined || reading.behindSeconds === undefined || reading.behindSeconds > most;
    return { ...reading, isBehind };
  });
}

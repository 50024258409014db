import { Injectable } from '@nestjs/common';
import { RateLimited } from '../../../../shared/kernel/domain-error.js';
import type { OrganizationId } from '../../../../shared/kernel/ids.js';
import type { DownloadTimes } from '../../../../shared/platform/http/answers/send-csv.js';

/** Downloads of one organization that this process sends at once. */
export const MOST_DOWNLOADS = 4;

/** Bounds what downloads hold: each has a socket and a batch in memory for as long as its client takes. */
@Injectable()
export class OpenDownloads {
  readonly times: DownloadTimes = { stalled: 30_000, whole: 3_600_000 };
  private readonly open = new Map<OrganizationId, number>();

  /** @throws RateLimited while the organization has as many as it may */
  async during<T>(organization: OrganizationId, download: () => Promise<T>): Promise<T> {
    const others = this.open.get(organization) ?? 0;
    if (others >= MOST_DOWNLOADS) throw new RateLimited(5, undefined, 'Too many downloads at once.');
    this.open.set(organization, others + 1);
    try {
      return await download();
    } finally {
      const left = this.open.get(organization)! - 1;
      if (left === 0) this.open.delete(organization);
      else this.open.set(organization, left);
    }
  }
}

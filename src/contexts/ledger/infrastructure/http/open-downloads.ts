import { Injectable } from '@nestjs/common';
import { RateLimited } from '../../../../shared/kernel/domain-error.js';
import type { CredentialId } from '../../../../shared/kernel/ids.js';
import type { DownloadTimes } from '../../../../shared/platform/http/answers/send-csv.js';

/** Downloads of one credential that this process sends at once. */
export const MOST_DOWNLOADS = 20;

/** Bounds what downloads hold: each has a socket and a batch in memory for as long as its client takes. */
@Injectable()
export class OpenDownloads {
  readonly times: DownloadTimes = { stalled: 30_000, whole: 3_600_000 };
  private readonly open = new Map<CredentialId, number>();

  /** @throws RateLimited while the credential has as many as it may */
  async during<T>(credential: CredentialId, download: () => Promise<T>): Promise<T> {
    const others = this.open.get(credential) ?? 0;
    if (others >= MOST_DOWNLOADS) throw new RateLimited(5, undefined, 'Too many downloads at once.');
    this.open.set(credential, others + 1);
    try {
      return await download();
    } finally {
      const left = this.open.get(credential)! - 1;
      if (left === 0) this.open.delete(credential);
      else this.open.set(credential, left);
    }
  }
}

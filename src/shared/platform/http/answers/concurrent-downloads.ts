import { Injectable } from '@nestjs/common';
import { RateLimited } from '#shared/kernel/domain-error.js';
import type { CollaboratorId, CredentialId } from '#shared/kernel/ids.js';
import type { DownloadTimeLimits } from '#shared/platform/http/answers/send-csv.js';

type Downloader = CredentialId | CollaboratorId;

export const MAX_CONCURRENT_DOWNLOADS = 20;

/** A download or monthly sum occupies a socket and a batch of rows or the statements of a month. */
@Injectable()
export class ConcurrentDownloads {
  readonly times: DownloadTimeLimits = { stalled: 30_000, whole: 3_600_000 };
  private readonly open = new Map<Downloader, number>();

  async during<T>(downloader: Downloader, download: () => Promise<T>): Promise<T> {
    const others = this.open.get(downloader) ?? 0;
    if (others >= MAX_CONCURRENT_DOWNLOADS)
      throw new RateLimited(5, undefined, 'Too many concurrent downloads.');
    this.open.set(downloader, others + 1);
    try {
      return await download();
    } finally {
      const left = this.open.get(downloader)! - 1;
      if (left === 0) this.open.delete(downloader);
      else this.open.set(downloader, left);
    }
  }
}

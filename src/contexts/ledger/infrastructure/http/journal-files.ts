import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { CollaboratorId, CredentialId } from '#shared/kernel/ids.js';
import { sendCsv } from '#shared/platform/http/answers/send-csv.js';
import type { Period } from '../../domain/periods/period.js';
import type { JournalLine } from '../persistence/journal-export.js';
import { JOURNAL_CSV_COLUMNS, journalRecords } from './journal-csv.js';
import { ConcurrentDownloads } from '#shared/platform/http/answers/concurrent-downloads.js';
import { XERO_COLUMNS, xeroRecords } from './xero-csv.js';

export const JOURNAL_FORMATS = ['lines', 'xero'] as const;
export type JournalFormat = (typeof JOURNAL_FORMATS)[number];

interface JournalFile {
  readonly month: Period;
  readonly format: JournalFormat;
  readonly lines: AsyncGenerator<readonly JournalLine[], void>;
}

@Injectable()
export class JournalFiles {
  constructor(private readonly downloads: ConcurrentDownloads) {}

  async send(
    response: Response,
    downloader: CredentialId | CollaboratorId,
    { month, format, lines }: JournalFile,
  ): Promise<void> {
    const file =
      format === 'lines'
        ? { name: `journal-${month}.csv`, header: JOURNAL_CSV_COLUMNS, batches: journalRecords(lines) }
        : { name: `journal-${month}-xero.csv`, header: XERO_COLUMNS, batches: xeroRecords(month, lines) };
    await this.downloads.during(downloader, () => sendCsv(response, file, this.downloads.times));
  }
}

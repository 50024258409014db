import { Injectable } from '@nestjs/common';
import { DeploymentCell, newPublicCode } from '#shared/kernel/deployment-cell.js';
import { BackgroundLoop } from '#shared/platform/background/background-loop.js';
import { BackgroundWork } from '#shared/platform/background/background-work.js';
import { Database } from '#shared/platform/database/database.js';

const POLL_INTERVAL_MS = 60_000;
const CODES_PER_BATCH = 200;

/** The code that is stored first remains. */
const STORE_CODES = `
UPDATE point_of_sale.points_of_sale p SET code = c.code
FROM (SELECT id, row_number() OVER () AS number FROM (
    SELECT id FROM point_of_sale.points_of_sale WHERE type = 'physical' AND code IS NULL
    ORDER BY id LIMIT ${CODES_PER_BATCH} FOR UPDATE SKIP LOCKED) uncoded) u
JOIN unnest($1::text[]) WITH ORDINALITY c (code, number) USING (number)
WHERE p.id = u.id AND p.code IS NULL RETURNING p.id`;

/** Created without a code by an earlier release. */
@Injectable()
export class PointOfSaleCodeBackfill extends BackgroundWork {
  constructor(
    private readonly database: Database,
    private readonly cell: DeploymentCell,
  ) {
    const options = { name: 'codes of points of sale', idleMs: POLL_INTERVAL_MS };
    super([new BackgroundLoop(options, () => this.storeCodes())]);
  }

  /** @returns true if points of sale without a code may remain */
  async storeCodes(): Promise<boolean> {
    const codes = Array.from({ length: CODES_PER_BATCH }, () => newPublicCode(this.cell));
    const stored = await this.database.query(STORE_CODES, [codes]);
    return stored.length === CODES_PER_BATCH;
  }
}

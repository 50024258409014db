import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import { notFound, UncountedNotFound } from '#shared/kernel/domain-error.js';
import type { AccountId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';
import { buildUpsertSql } from '#shared/platform/database/insert.js';
import { withoutNulls, type RowOf } from '#shared/platform/database/rows.js';
import { type Branding, AccountBranding } from '../../contract/account-branding.js';
import type { AccountScope } from '../../contract/account-scope-rule.js';
import { NO_BRANDING, type LogoMetadata, type OwnBranding } from '../../domain/branding/branding.js';
import type { BrandingTexts } from '../../domain/branding/branding-texts.js';
import type { LogoFile, LogoType } from '../../domain/branding/logo-file.js';

const CACHE_SIZE = 10_000;
const CACHE_TTL_MS = 10_000;
/** The cell's code and the SHA-256 digest in hex. */
const LOGO_NAME = /^[A-Za-z0-9]([0-9a-f]{64})$/;
const LOGO_NAME_LENGTH = 65;

interface LogoColumns {
  readonly logoType: LogoType | null;
  readonly logoWidth: number | null;
  readonly logoHeight: number | null;
  readonly logoDigest: Buffer | null;
}
type OwnRow = BrandingTexts & LogoColumns;
type BrandingRow = RowOf<Omit<Branding, 'logo'>> & LogoColumns;

const NO_LOGO: LogoColumns = { logoType: null, logoWidth: null, logoHeight: null, logoDigest: null };

const OWNER_CONDITION = 'organization_id = $1 AND account_id IS NOT DISTINCT FROM $2';

/** All columns of a logo are null or set, so COALESCE never mixes two logos. */
const READ_BRANDING = `
SELECT COALESCE(a.display_name, d.display_name, o.name) AS name, COALESCE(a.tax_id, d.tax_id) AS tax_id,
  COALESCE(a.postal_address, d.postal_address) AS postal_address, COALESCE(a.colour, d.colour) AS colour,
  COALESCE(a.support, d.support) AS support,
  COALESCE(a.logo_type, d.logo_type) AS logo_type, COALESCE(a.logo_width, d.logo_width) AS logo_width,
  COALESCE(a.logo_height, d.logo_height) AS logo_height, COALESCE(a.logo_digest, d.logo_digest) AS logo_digest
FROM identity.organizations o
LEFT JOIN identity.brandings d ON d.organization_id = o.id AND d.account_id IS NULL
LEFT JOIN identity.brandings a ON a.organization_id = o.id AND a.account_id = $2
WHERE o.id = $1`;

/** The owner is the organization if the scope names no account. */
@Injectable()
export class Brandings extends AccountBranding {
  private readonly memory = new LRUCache<
    AccountId,
    { owner: TenantScope; branding: Branding; until: number }
  >({
    max: CACHE_SIZE,
  });

  constructor(
    private readonly database: Database,
    private readonly cell: DeploymentCell,
  ) {
    super();
    database.identity.onAnotherTimeline(() => this.memory.clear());
  }

  async brandingOf(owner: AccountScope): Promise<Branding> {
    const { organizationId, accountId } = owner;
    const known = this.memory.get(accountId);
    const isFresh = known !== undefined && performance.now() < known.until;
    if (isFresh && known.owner.organizationId === organizationId) return known.branding;
    const [row] = await this.database.query<BrandingRow>(READ_BRANDING, [organizationId, accountId]);
    if (row === undefined) throw notFound('organization');
    const branding = this.readBranding(row);
    this.memory.set(accountId, { owner, branding, until: performance.now() + CACHE_TTL_MS });
    return branding;
  }

  async readOwnBranding({ organizationId, accountId }: TenantScope): Promise<OwnBranding> {
    const [row] = await this.database.query<OwnRow>(
      `SELECT display_name, tax_id, postal_address, colour, support, logo_type, logo_width, logo_height, logo_digest
       FROM identity.brandings WHERE ${OWNER_CONDITION}`,
      [organizationId, accountId],
    );
    if (row === undefined) return NO_BRANDING;
    const { displayName, taxId, postalAddress, colour, support } = row;
    return { displayName, taxId, postalAddress, colour, support, logo: this.logoFacts(row) };
  }

  /** The caller must have locked the organization. */
  async saveTexts(owner: TenantScope, texts: BrandingTexts, at: Date): Promise<void> {
    await this.save(owner, { ...texts, updatedAt: at });
  }

  /** The caller must have locked the organization. @returns null without a logo */
  async saveLogo(owner: TenantScope, logo: LogoFile | null, at: Date): Promise<LogoMetadata | null> {
    const columns = logo && {
      logoType: logo.type,
      logoWidth: logo.width,
      logoHeight: logo.height,
      logoDigest: createHash('sha256').update(logo.bytes).digest(),
    };
    await this.save(owner, { ...(columns ?? NO_LOGO), logo: logo && Buffer.from(logo.bytes), updatedAt: at });
    return columns && this.logoFacts(columns);
  }

  /** A miss is not guessing: pages opened earlier still request replaced logos. */
  async logoFile(name: string): Promise<Pick<LogoFile, 'type' | 'bytes'>> {
    const [, digest] = LOGO_NAME.exec(name) ?? [];
    const [row] =
      digest === undefined || this.cell.isCodeOfOtherCell(name, LOGO_NAME_LENGTH)
        ? []
        : await this.database.query<Pick<LogoFile, 'type' | 'bytes'>>(
            'SELECT logo_type AS type, logo AS bytes FROM identity.brandings WHERE logo_digest = $1 LIMIT 1',
            [Buffer.from(digest, 'hex')],
          );
    if (row === undefined) throw new UncountedNotFound('not_found', 'not_found', 'There is no such logo.');
    return row;
  }

  private async save({ organizationId, accountId }: TenantScope, changes: object): Promise<void> {
    const key = { organizationId, accountId };
    await this.database.queryInTransaction(...buildUpsertSql('identity.brandings', key, changes));
    // Any cached account may be outdated, because it inherits the organization's branding.
    this.database.afterCommit(() => this.memory.clear());
  }

  private readBranding({ logoType, logoWidth, logoHeight, logoDigest, ...texts }: BrandingRow): Branding {
    const logo = this.logoFacts({ logoType, logoWidth, logoHeight, logoDigest });
    const branding = withoutNulls<Omit<Branding, 'logo'>>(texts);
    if (logo === null) return branding;
    const { path, width, height } = logo;
    return { ...branding, logo: { path, width, height } };
  }

  private logoFacts({ logoType, logoWidth, logoHeight, logoDigest }: LogoColumns): LogoMetadata | null {
    if (logoDigest === null) return null;
    const digest = logoDigest.toString('hex');
    const path = `/logo/${this.cell.addCellMark(digest)}`;
    return { type: logoType!, width: logoWidth!, height: logoHeight!, digest, path };
  }
}

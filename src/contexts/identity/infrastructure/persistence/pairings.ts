import { Injectable } from '@nestjs/common';
import type { CollaboratorId, OrganizationId, PointOfSaleId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import type { PointOfSaleDevice, PointOfSaleReference } from '../../contract/point-of-sale-devices.js';

export interface StoredPairingCode extends PointOfSaleReference {
  readonly offeredBy: CollaboratorId;
  /** Null if a process of the previous release created the code. */
  readonly pointName: string | null;
}

export interface DeviceOfPerson {
  readonly name: string;
  readonly pairedBy: CollaboratorId;
  readonly pointOfSaleId: PointOfSaleId;
}

export interface PairingSubject {
  readonly pointId: PointOfSaleId;
  readonly pointName: string | null;
  readonly accountName: string;
  readonly organizationName: string;
}

const PAIRING_COLUMNS =
  'p.point_of_sale_id AS id, p.organization_id, p.account_id, p.offered_by, p.point_of_sale_name AS point_name';
const VALID_CODE_CONDITION = `p.code_digest = $1 AND p.expires_at > platform.now() AND a.id = p.account_id AND a.deleted_at IS NULL`;

/** Expired codes and codes of deleted accounts count as not found. */
@Injectable()
export class Pairings {
  constructor(private readonly database: Database) {}

  /** @returns the expiry time, by the database clock */
  async storeCode(pairing: StoredPairingCode, codeDigest: Buffer, minutes: number): Promise<Date> {
    const [row] = await this.database.queryInTransaction<{ expiresAt: Date }>(
      `INSERT INTO identity.pairing_codes (code_digest, organization_id, account_id, point_of_sale_id, offered_by,
         point_of_sale_name, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, platform.now() + make_interval(mins => $7)) RETURNING expires_at`,
      [
        codeDigest,
        pairing.organizationId,
        pairing.accountId,
        pairing.id,
        pairing.offeredBy,
        pairing.pointName,
        minutes,
      ],
    );
    return row!.expiresAt;
  }

  async findCode(codeDigest: Buffer): Promise<StoredPairingCode | null> {
    const [row] = await this.database.query<StoredPairingCode>(
      `SELECT ${PAIRING_COLUMNS} FROM identity.pairing_codes p, identity.accounts a WHERE ${VALID_CODE_CONDITION}`,
      [codeDigest],
    );
    return row ?? null;
  }

  async findPointOfSaleOfCode(codeDigest: Buffer): Promise<PairingSubject | null> {
    const [row] = await this.database.query<PairingSubject>(
      `SELECT p.point_of_sale_id AS point_id, p.point_of_sale_name AS point_name, a.name AS account_name, o.name AS organization_name
       FROM identity.pairing_codes p JOIN identity.organizations o ON o.id = p.organization_id, identity.accounts a WHERE ${VALID_CODE_CONDITION}`,
      [codeDigest],
    );
    return row ?? null;
  }

  async consumeCode(codeDigest: Buffer): Promise<StoredPairingCode | null> {
    const [row] = await this.database.queryInTransaction<StoredPairingCode>(
      `DELETE FROM identity.pairing_codes p USING identity.accounts a WHERE ${VALID_CODE_CONDITION} RETURNING ${PAIRING_COLUMNS}`,
      [codeDigest],
    );
    return row ?? null;
  }

  async removeCodesOf(person: CollaboratorId): Promise<void> {
    await this.database.queryInTransaction('DELETE FROM identity.pairing_codes WHERE offered_by = $1', [
      person,
    ]);
  }

  async countDevicesAndCodes({ organizationId, id }: PointOfSaleReference): Promise<number> {
    const [row] = await this.database.queryInTransaction<{ taken: number }>(
      `SELECT ((SELECT count(*) FROM identity.credentials WHERE organization_id = $1 AND point_of_sale_id = $2)
         + (SELECT count(*) FROM identity.pairing_codes WHERE point_of_sale_id = $2 AND expires_at > platform.now()))::integer
         AS taken`,
      [organizationId, id],
    );
    return row!.taken;
  }

  devicesPairedBy(
    organization: OrganizationId,
    people: readonly CollaboratorId[],
  ): Promise<DeviceOfPerson[]> {
    return this.database.query<DeviceOfPerson>(
      `SELECT name, paired_by, point_of_sale_id FROM identity.credentials
       WHERE organization_id = $1 AND paired_by = ANY($2) ORDER BY id`,
      [organization, people],
    );
  }

  devicesOf({ organizationId, id }: PointOfSaleReference): Promise<PointOfSaleDevice[]> {
    return this.database.query<PointOfSaleDevice>(
      `SELECT c.id, c.name, p.name AS paired_by, c.created_at AS paired_at, c.last_used_at
       FROM identity.credentials c JOIN identity.collaborators p ON p.id = c.paired_by
       WHERE c.organization_id = $1 AND c.point_of_sale_id = $2 ORDER BY c.id`,
      [organizationId, id],
    );
  }
}

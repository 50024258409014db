import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { stateConflict } from '#shared/kernel/domain-error.js';
import type { CollaboratorId, CredentialId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AuditLog, type Actor } from '../../contract/audit-log.js';
import {
  PointOfSaleDevices,
  type PointOfSaleDevice,
  type PointOfSaleReference,
  type PairingCode,
} from '../../contract/point-of-sale-devices.js';
import { Credentials } from '../../infrastructure/credentials/persistence/credentials.js';
import { MAX_DEVICES_PER_POINT_OF_SALE, newPairingCode, PAIRING_CODE_VALID_MINUTES } from './pairing-code.js';
import { recordCredentialAuditEntry } from '../credentials/record-credential-audit-entry.js';
import { IssueCredential } from '../credentials/issue-credential.js';
import { digestOf } from '../secret.js';
import { Pairings } from '../../infrastructure/persistence/pairings.js';

@Injectable()
export class PairedDevices extends PointOfSaleDevices {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly issueCredential: IssueCredential,
    private readonly credentials: Credentials,
    private readonly pairings: Pairings,
    private readonly auditLog: AuditLog,
  ) {
    super();
  }

  list(point: PointOfSaleReference): Promise<PointOfSaleDevice[]> {
    return this.pairings.devicesOf(point);
  }

  createPairingCode(
    point: PointOfSaleReference,
    pointName: string,
    offeredBy: CollaboratorId,
  ): Promise<PairingCode> {
    const code = newPairingCode();
    return this.unitOfWork.run(async () => {
      await this.issueCredential.requireApprovedOrganization(point.organizationId);
      // Offering and pairing both lock the organization, so concurrent calls cannot exceed the limit.
      if ((await this.pairings.countDevicesAndCodes(point)) >= MAX_DEVICES_PER_POINT_OF_SALE)
        throw stateConflict(
          `This point of sale already has ${MAX_DEVICES_PER_POINT_OF_SALE} devices, including unused pairing codes, which is the maximum. Revoke a device, or wait ${PAIRING_CODE_VALID_MINUTES} minutes until an unused code expires.`,
        );
      const { id, organizationId, accountId } = point;
      const pairing = { id, organizationId, accountId, offeredBy, pointName };
      return {
        code,
        expiresAt: await this.pairings.storeCode(pairing, digestOf(code), PAIRING_CODE_VALID_MINUTES),
      };
    });
  }

  async revoke({ organizationId, id }: PointOfSaleReference, device: CredentialId, by: Actor): Promise<void> {
    await this.unitOfWork.run(async () => {
      const before = await this.credentials.lockDeviceCredentialRow(organizationId, id, device);
      await this.credentials.remove(organizationId, device);
      const at = await this.clock.now();
      await recordCredentialAuditEntry(this.auditLog, 'credential.revoked', {
        ...by,
        at,
        before,
        after: null,
      });
    });
  }
}

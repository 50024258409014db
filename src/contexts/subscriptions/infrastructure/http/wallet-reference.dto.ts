import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { DomainError } from '#shared/kernel/domain-error.js';
import { isUuid, type WalletId } from '#shared/kernel/ids.js';
import { namedSchema } from '#shared/platform/http/openapi/schema-names.js';
import { IsText, customRule } from '#shared/platform/http/validation/field-rules.js';
import type { WalletReference } from '../../domain/subscription-snapshot.js';

const EXTERNAL_ID_FIELD = {
  max: 128,
  description: 'Id that the wallet provider uses for the wallet.',
  example: 'wallet-7d1f',
};
const WALLET_ID_FIELD = {
  description: 'Id that this service assigned to the wallet at its first acceptance.',
};

function WalletUuid(optional: boolean): PropertyDecorator {
  const isId = (value: unknown) => typeof value === 'string' && isUuid(value);
  return customRule(
    'uuid',
    'must be a UUID.',
    isId,
    { type: String, format: 'uuid' },
    { ...WALLET_ID_FIELD, optional },
  );
}

export class WalletByExternalIdBody {
  @IsText(EXTERNAL_ID_FIELD)
  wallet_external_id!: string;
}

export class WalletByIdBody {
  @WalletUuid(false)
  wallet_id!: string;
}

/** The parsed body. The API reference documents the two variants above instead. */
export class WalletReferenceBody {
  @IsText({ ...EXTERNAL_ID_FIELD, optional: true })
  wallet_external_id?: string;

  @WalletUuid(true)
  wallet_id?: string;
}

export function ApiWalletReference(): MethodDecorator {
  const variants = [WalletByExternalIdBody, WalletByIdBody];
  const oneOf = variants.map((variant) => ({ $ref: getSchemaPath(variant) }));
  return applyDecorators(
    ApiExtraModels(...variants),
    ApiBody({ required: true, schema: namedSchema('NamedWalletBody', { oneOf }) }),
  );
}

/** @throws validation_failed unless exactly one field is present */
export function toWalletReference({
  wallet_external_id: externalId,
  wallet_id: id,
}: WalletReferenceBody): WalletReference {
  if (externalId !== undefined && id === undefined) return { externalId };
  if (id !== undefined && externalId === undefined) return { id: id.toLowerCase() as WalletId };
  const sent = id === undefined ? 'neither was sent' : 'both were sent';
  const message = `exactly one of wallet_external_id and wallet_id is required; ${sent}.`;
  const errors = ['wallet_external_id', 'wallet_id'].map((field) => ({
    field,
    rule: 'exactly_one',
    message,
  }));
  throw new DomainError('invalid', 'validation_failed', `wallet_external_id, wallet_id: ${message}`, errors);
}

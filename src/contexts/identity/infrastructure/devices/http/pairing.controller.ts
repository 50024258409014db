import { Body, Controller, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { CallerAddressResolver } from '#shared/platform/http/callers/caller-address-resolver.js';
import { OwnRateLimit, Public } from '#shared/platform/http/callers/route-markers.js';
import { operationLinkTo, DocumentedOperation } from '#shared/platform/http/openapi/operation.js';
import { PairDevice } from '#contexts/identity/application/devices/pair-device.js';
import {
  PairDeviceBody,
  PairedDeviceAnswer,
  PairingCodeBody,
  PairingSubjectAnswer,
  presentDevice,
  presentPairingPointOfSale,
} from './pairing.dto.js';

@ApiTags('Tills')
@Controller('public/till/pairing')
export class PairingController {
  constructor(
    private readonly pairDevice: PairDevice,
    private readonly addresses: CallerAddressResolver,
  ) {}

  @Public()
  @OwnRateLimit()
  @Post()
  @DocumentedOperation('pairDevice', 'Pair a device with a point of sale', {
    description:
      'Exchanges a pairing code for the API credentials of a device. A code works once and expires after ten ' +
      'minutes. If you lose the response, revoke the device in the dashboard and pair it with a new code.\n\n' +
      'After 10 failed attempts from one IP address within a minute, a wrong code returns 429 `rate_limited`.',
    answer: [
      PairedDeviceAnswer,
      'The credentials of the device.',
      {
        api_key: 'svc.dev.0193b2f4-5f0e-8c1a-9d1e-0a4b5c6d7e30',
        api_secret: 'the-secret-that-is-answered-once',
        point_of_sale_id: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
      },
    ],
    links: operationLinkTo(
      'exchangeToken',
      'Create an access token.',
      {},
      { api_key: '$response.body#/data/api_key', api_secret: '$response.body#/data/api_secret' },
    ),
    errors: ['cross_site_refused', 'pairing_code_invalid', 'organization_not_approved', 'rate_limited'],
  })
  async pair(@Body() body: PairDeviceBody, @Req() request: Request): Promise<PairedDeviceAnswer> {
    const { code, device_name: deviceName } = body;
    const address = this.addresses.addressOf(request);
    const caller = this.addresses.callerAddressRangesOf(request);
    return presentDevice(await this.pairDevice.pair({ code, deviceName, address, caller }));
  }

  @Public()
  @OwnRateLimit()
  @Post('subject')
  @DocumentedOperation('readPairingCode', 'Read the point of sale of a pairing code', {
    description:
      'Returns the point of sale, account and organization that a pairing code belongs to. Show them to the ' +
      'user before the device replaces an existing pairing. The code stays valid. Failed attempts count toward ' +
      'the same limit as failed attempts to pair a device.',
    answer: [
      PairingSubjectAnswer,
      'The point of sale, account and organization of the pairing code.',
      {
        point_of_sale_id: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
        point_of_sale_name: 'Till 1',
        account_name: 'Corner Coffee, Main Street',
        organization_name: 'Corner Coffee',
      },
    ],
    errors: ['cross_site_refused', 'pairing_code_invalid', 'rate_limited'],
  })
  async subject(@Body() { code }: PairingCodeBody, @Req() request: Request): Promise<PairingSubjectAnswer> {
    const caller = this.addresses.callerAddressRangesOf(request);
    return presentPairingPointOfSale(await this.pairDevice.findPointOfSaleToPair({ code, caller }));
  }
}

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Post, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { PeopleWorld } from '../../testing/people-world.js';
import { DashboardGuard } from './dashboard/dashboard.guard.js';

let world: PeopleWorld;
beforeAll(async () => void (world = await PeopleWorld.start()));
afterAll(() => world.close());

const invitations = async () => (await world.query('SELECT FROM identity.invitations')).length;

describe('An act that requires a fresh second factor', () => {
  it('is allowed for ten minutes, and then only after the factor is verified again', async () => {
    const { person, recoveryCodes } = await world.owner();
    const invite = async (email: string, code?: string) => {
      const form = { email, role: 'owner', ...(code !== undefined && { code }) };
      return (await person.post('/app/team/invitations', form)).status;
    };

    await world.api.platform.advance(599);
    expect([await invite('a@shop.example'), await invitations()]).toEqual([303, 1]);
    await world.api.platform.advance(2);
    expect([await invite('b@shop.example'), await invitations()]).toEqual([403, 1]);
    expect([await invite('b@shop.example', recoveryCodes[0]), await invitations()]).toEqual([303, 2]);
    expect([await invite('c@shop.example'), await invitations()]).toEqual([303, 3]);
  });
});

describe('A fresh second factor', () => {
  it('does not extend the session', async () => {
    const { person, recoveryCodes } = await world.owner();
    const ends = () =>
      world.query("SELECT expires_at FROM identity.dashboard_sessions WHERE stage = 'signed_in' ORDER BY id");
    const before = await ends();
    await world.api.platform.advance(601);

    const form = { email: 'd@shop.example', role: 'viewer', code: recoveryCodes[0]! };
    expect((await person.post('/app/team/invitations', form)).status).toBe(303);

    expect(await ends()).toEqual(before);
  });
});

const NO_PARTS = [] as unknown as [never, never, never, never];

describe('A form that declares no act', () => {
  it('is rejected for every sender', () => {
    class Forgotten {
      @DashboardRoute('read')
      @Post()
      change(): void {}
    }
    const guard = new DashboardGuard(new Reflector(), ...NO_PARTS);
    const context = { getHandler: () => Forgotten.prototype.change, getClass: () => Forgotten };

    expect(() => guard.canActivate(context as unknown as ExecutionContext)).toThrow(
      'Forgotten.change declares no act',
    );
  });
});

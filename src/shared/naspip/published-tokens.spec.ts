import { describe, expect, it } from '@jest/globals';
import { decodeNaspipMessage, encodeNaspipMessage } from './naspip-message.js';
import { decodeNaspipToken, keyLookupIn, verifyNaspipToken } from './naspip-token.js';
import { parseV4Public } from './paseto-v4-public.js';

/**
 * Example tokens published with the protocol and its TypeScript reference, github.com/fluxisus/naspip and naspip-ts
 * (MIT).
 */
const SIGNED = {
  publicKey: 'k4.public.vReOu5eFs0HYCYndN_fKrJM6e_VoidRcDAyIFLAtOEg',
  token:
    'naspip;my-key-issuer;my-key-id;v4.public.Cg9teS1jb21wYW55LW5hbWUiGDIwMjUtMDQtMDdUMjM6NTM6NDUuOTUxWjIYMjAyNS0wNC0wN1QyMDo1Mzo0NS45NTFaQglteS1rZXktaWRKGDIwMzUtMDQtMDVUMjA6NTM6NDUuOTQ5WlINbXkta2V5LWlzc3VlclqfAQpqCgpwYXltZW50MTIzEiJUUmpFMUg4ZHh5cEtNMU5aUmR5c2JzOXdvN2h1UjRiZE56IipudHJjMjBfdFRSN05IcWplS1F4R1RDaThxOFpZNHBMOG90U3pnakxqNnQyBTEwLjUySN2L-5HhMhIxCgUxMC41MhIDVVNEGhdQYXltZW50IGZvciBYWVogc2VydmljZSIKCghNeSBTdG9yZSJr_pMJrWKqwdmjBL9Y8VV7vNKuue9rOFKVeByeUBmgC7Yf0S4scULu01Wh7cyWub-MQZrb7rfy_fvIPdzEJwo',
};

const CLOSED =
  'naspip;fluxis.us;fluxis.qr.dyn.1;v4.public.IhgyMDI1LTAzLTE4VDE2OjI5OjQ0LjU1N1oyGDIwMjUtMDMtMThUMTU6Mjk6NDQuNTU3WkIPZmx1eGlzLnFyLmR5bi4xShQyMDM1LTAyLTI3VDE4OjUzOjMwWlIJZmx1eGlzLnVzWogBCoEBCiQ2YjU2ZjQ4OC01YjM1LTQyYjctODZlZC1mYmQ2MzQ1YTcyYzASIlRFclExTFR6RmpOZnN3dEhjZ0JyUXc4dmQ0cVhEVFpyTlAiKm50cmMyMF90VFI3TkhxamVLUXhHVENpOHE4Wlk0cEw4b3RTemdqTGo2dDICMTVI2Zzz-dIyEgIiALU22gjTUWzbH-mUPrxnYdweXALZ4rVqpPf3tl1X_0_7Ew-t8lLTZ3pRrjruSvcYO5tLrxCsyvq_imeICOUaeAU';

const TAGGED =
  'naspip;fluxis.us;fluxis.qr.dyn.1;v4.public.IhgyMDI1LTAzLTE4VDE2OjI3OjU5LjA3NloyGDIwMjUtMDMtMThUMTU6Mjc6NTkuMDc2WkIPZmx1eGlzLnFyLmR5bi4xShQyMDM1LTAyLTI3VDE4OjUzOjMwWlIJZmx1eGlzLnVzWsoBCsMBCiRjN2JjM2JhNC0zMWM0LTQ1ZGItOWEyMS04YmRjOTE4NjliZjkSOEdBQkZRSUs2M1IyTkVUSk03VDY3M0VBTVpONFJKTExHUDNPRlVFSlU1U1pWVEdXVUtVTFpKTkw2GgkzMDQwMTYyMDYiR25zdGVsbGFyX3RVU0RDLUdBNVpTRUpZQjM3SlJDNUFWQ0lBNU1PUDRSSFRNMzM1WDJLR1gzSUhPSkFQUDVSRTM0SzRLWlZOMgYxMDIuMzZI1s36r9MyEgIiAACfT2h5UNo9RyVEqAvxFHFjGvkNY6jE103Gk2nre8Td_eeIoBir2ZTJAehXwuoqjZ3XlkLvD63wsCjs90TVBwM';

const URL_PAYLOAD =
  'naspip;fluxis.us;fluxis.qr.dyn.1;v4.public.IhgyMDI1LTAzLTE4VDE2OjI3OjAwLjUxMVoyGDIwMjUtMDMtMThUMTU6Mjc6MDAuNTExWkIPZmx1eGlzLnFyLmR5bi4xShQyMDM1LTAyLTI3VDE4OjUzOjMwWlIJZmx1eGlzLnVzYkgKQmh0dHBzOi8vZmx1eGlzLnVzL2NoZWNrb3V0P2lkPWY5ZGYyMGQyLTgxNGYtNDIzZC1iY2ViLTVkM2FlMWIwNGEzNBoCIgBDLVAc_GkALhGp4RimIcS7H46wu_a5ZNA7yw7hhC_3vmygsJem_PjmxTCFL0cuyOcs6TjvMtQXNmJxvy7GRwYM';

const signedClaims = {
  iss: 'my-company-name',
  exp: '2025-04-07T23:53:45.951Z',
  iat: '2025-04-07T20:53:45.951Z',
  kid: 'my-key-id',
  kep: '2035-04-05T20:53:45.949Z',
  kis: 'my-key-issuer',
};
const signedPayload = {
  payment: {
    id: 'payment123',
    address: 'TRjE1H8dxypKM1NZRdysbs9wo7huR4bdNz',
    uniqueAssetId: 'ntrc20_tTR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    isOpen: false,
    amount: '10.52',
    expiresAt: new Date(1744062825949),
  },
  order: {
    total: '10.52',
    coinCode: 'USD',
    description: 'Payment for XYZ service',
    merchant: { name: 'My Store' },
  },
};

const keys = keyLookupIn({
  'my-key-issuer': { 'my-key-id': { publicKey: SIGNED.publicKey, kep: '2035-04-05T20:53:45.949Z' } },
});

describe('A published NASPIP token', () => {
  it('verifies with the published key until its expiry', () => {
    const verified = verifyNaspipToken(SIGNED.token, keys, new Date('2025-04-07T21:00:00Z'));

    expect(verified.claims).toStrictEqual(signedClaims);
    expect(verified.payload).toStrictEqual(signedPayload);
  });

  it('decodes an address tag without the key', () => {
    expect(decodeNaspipToken(TAGGED).payload).toStrictEqual({
      payment: {
        id: 'c7bc3ba4-31c4-45db-9a21-8bdc91869bf9',
        address: 'GABFQIK63R2NETJM7T673EAMZN4RJLLGP3OFUEJU5SZVTGWUKULZJNL6',
        addressTag: '304016206',
        uniqueAssetId: 'nstellar_tUSDC-GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
        isOpen: false,
        amount: '102.36',
        expiresAt: new Date(1740367636182),
      },
    });
  });

  it('decodes a URL without the key', () => {
    expect(decodeNaspipToken(URL_PAYLOAD).payload).toStrictEqual({
      url: 'https://fluxis.us/checkout?id=f9df20d2-814f-423d-bceb-5d3ae1b04a34',
    });
  });

  it.each([SIGNED.token, CLOSED, TAGGED, URL_PAYLOAD])(
    'has the same bytes if it is encoded again: token %#',
    (token) => {
      const bytes = Buffer.from(parseV4Public(token.split(';')[3]!)!.message);
      const { claims, payload } = decodeNaspipMessage(bytes);

      expect(Buffer.from(encodeNaspipMessage(claims, payload!))).toEqual(bytes);
    },
  );
});

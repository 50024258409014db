import { describe, expect, it } from '@jest/globals';
import { invitationMail } from './mails.js';

describe('The mail of an invitation', () => {
  it('keeps names on one line', () => {
    const mail = invitationMail(
      {
        email: 'ben@shop.example',
        role: 'admin',
        organizationName: 'Shop\r\nBcc: everybody@shop.example',
        invitedBy: 'Anna\n\nhttps://evil.example/',
      },
      'https://pay.example/app/invitation/token',
    );

    expect(mail.subject).toBe('Invitation to Shop Bcc: everybody@shop.example');
    expect(mail.body.split('\n')[0]).toBe(
      'Anna https://evil.example/ invited you to join Shop Bcc: everybody@shop.example as Admin.',
    );
  });
});

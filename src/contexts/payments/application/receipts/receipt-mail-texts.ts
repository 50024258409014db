import type { Catalogue } from '#shared/web/messages/languages.js';

/** The facts of one sentence. */
interface Received {
  readonly merchant: string;
  readonly price: string;
  readonly paid: string;
  readonly network: string;
}

interface MailTexts {
  readonly subject: (merchant: string) => string;
  readonly received: (facts: Received) => string;
  readonly receipt: string;
  readonly later: string;
  readonly why: (merchant: string) => string;
  readonly unsubscribe: (merchant: string) => string;
}

export const RECEIPT_MAIL_TEXTS: Catalogue<MailTexts> = {
  en: {
    subject: (merchant) => `Receipt from ${merchant}`,
    received: ({ merchant, price, paid, network }) =>
      `${merchant} asked for ${price} and has received ${paid} on ${network}.`,
    receipt: 'The receipt, to read, print or save',
    later: 'The receipt also shows what becomes of the payment later, such as a refund.',
    why: (merchant) =>
      `This address was entered for the receipt of a payment to ${merchant}. It is sent once, and the address is not kept.`,
    unsubscribe: (merchant) => `No more mails about payments to ${merchant}`,
  },
  es: {
    subject: (merchant) => `Recibo de ${merchant}`,
    received: ({ merchant, price, paid, network }) =>
      `${merchant} pidió ${price} y ha recibido ${paid} en ${network}.`,
    receipt: 'El recibo, para leer, imprimir o guardar',
    later: 'El recibo también muestra lo que pase después con el pago, por ejemplo un reembolso.',
    why: (merchant) =>
      `Esta dirección se indicó para el recibo de un pago a ${merchant}. Se envía una sola vez y la dirección no se guarda.`,
    unsubscribe: (merchant) => `No recibir más correos sobre pagos a ${merchant}`,
  },
  pt: {
    subject: (merchant) => `Recibo de ${merchant}`,
    received: ({ merchant, price, paid, network }) =>
      `${merchant} pediu ${price} e recebeu ${paid} em ${network}.`,
    receipt: 'O recibo, para ler, imprimir ou guardar',
    later: 'O recibo também mostra o que acontecer depois com o pagamento, como um reembolso.',
    why: (merchant) =>
      `Este endereço foi informado para o recibo de um pagamento a ${merchant}. Ele é enviado uma única vez e o endereço não é guardado.`,
    unsubscribe: (merchant) => `Não receber mais e-mails sobre pagamentos a ${merchant}`,
  },
};

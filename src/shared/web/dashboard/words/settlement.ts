import type { Translations } from './translation.js';

/** Settlements, and refunds. */
export const SETTLEMENT_WORDS = {
  'Settlements, newest first': [
    'Liquidaciones, primero las más recientes',
    'Liquidações, primeiro as mais recentes',
  ],
  'Transaction’s hash': ['Hash de la transacción', 'Hash da transação'],
  'To you': ['Importe entregado', 'Valor entregue'],
  'Service fee': ['Comisión del servicio', 'Taxa do serviço'],
  'Settlement address': ['Dirección de liquidación', 'Endereço de liquidação'],
  'No settlement matches these filters.': [
    'Ninguna liquidación coincide con estos filtros.',
    'Nenhuma liquidação combina com estes filtros.',
  ],
  'A hash is searched whole.': ['Un hash se busca entero.', 'Um hash é buscado inteiro.'],
  'Nothing has been settled yet.': ['Todavía no se ha liquidado nada.', 'Nada foi liquidado ainda.'],
  'What was paid is delivered to your settlement address, and stands here then.': [
    'Lo pagado se entrega en la dirección de liquidación propia, y entonces figura aquí.',
    'O que foi pago é entregue no seu endereço de liquidação, e então aparece aqui.',
  ],
  '{count} payment|{count} payments': ['{count} pago|{count} pagos', '{count} pagamento|{count} pagamentos'],
  'and {count} more': ['y {count} más', 'e mais {count}'],

  'Refund a payment': ['Reembolsar un pago', 'Reembolsar um pagamento'],
  'Refunds, newest first': ['Reembolsos, primero los más recientes', 'Reembolsos, primeiro os mais recentes'],
  'No refund matches these filters.': [
    'Ningún reembolso coincide con estos filtros.',
    'Nenhum reembolso combina com estes filtros.',
  ],
  'Nothing has been refunded yet.': ['Todavía no se ha reembolsado nada.', 'Nada foi reembolsado ainda.'],
  'A payment that has ended is paid back from its own page, or by the API.': [
    'Un pago que ha terminado se devuelve desde su propia página, o por la API.',
    'Um pagamento que terminou é devolvido na sua própria página, ou pela API.',
  ],
  Reason: ['Motivo', 'Motivo'],
  'for the payer’s address': ['de la dirección del pagador', 'do endereço do pagador'],
  'for approval': ['de aprobación', 'de aprovação'],

  'Of the payment that is paid back; it stands on the payment’s page.': [
    'Del pago que se devuelve; figura en la página del pago.',
    'Do pagamento que é devolvido; está na página do pagamento.',
  ],
  'Address of the payer': ['Dirección del pagador', 'Endereço do pagador'],
  'It is paid there at once. Left empty, you get a link at which the payer names it, and approve it then.': [
    'Se paga allí de inmediato. Si queda vacía, se obtiene un enlace en el que el pagador la indica, y se aprueba después.',
    'É pago nele de imediato. Se ficar vazio, você recebe um link em que o pagador o informa, e aprova depois.',
  ],
  'Transaction that pays it': ['Transacción que lo paga', 'Transação que o paga'],
  'This payment went to your own wallet, which pays refunds too. The refund is completed once this transaction is final.':
    [
      'Este pago llegó a la billetera propia, que también paga los reembolsos. El reembolso se completa cuando esta transacción es definitiva.',
      'Este pagamento chegou à sua própria carteira, que também paga os reembolsos. O reembolso é concluído quando esta transação é definitiva.',
    ],
  'The one that this transaction pays.': [
    'La dirección que paga esta transacción.',
    'O endereço que esta transação paga.',
  ],
  'Left empty: what is left; of an overpaid payment its excess.': [
    'Si queda vacío: lo que queda; de un pago de más, el exceso.',
    'Se ficar vazio: o que resta; de um pagamento a mais, o excesso.',
  ],
  'For your own records; it may stay empty.': [
    'Para los registros propios; puede quedar vacío.',
    'Para seus próprios registros; pode ficar vazio.',
  ],
  'Create the refund': ['Crear el reembolso', 'Criar o reembolso'],

  'Refund created': ['Reembolso creado', 'Reembolso criado'],
  'Send this link to the payer. They name the address that {amount} are paid to; then you approve it.': [
    'Enviar este enlace al pagador. Él indica la dirección a la que se pagan {amount}; después se aprueba.',
    'Envie este link ao pagador. Ele informa o endereço ao qual são pagos {amount}; depois você aprova.',
  ],
  'The link is shown only now: loading this page again does not show it. Who has it names the address.': [
    'El enlace se muestra solo ahora: al cargar de nuevo esta página no se muestra. Quien lo tiene indica la dirección.',
    'O link é mostrado só agora: ao carregar esta página de novo não aparece. Quem o tem informa o endereço.',
  ],
  'The refund float lacks {amount} to pay this. Top it up before the refund is approved.': [
    'Al fondo de reembolsos le faltan {amount} para pagarlo. Recárguelo antes de aprobar el reembolso.',
    'Faltam {amount} no fundo de reembolsos para pagá-lo. Recarregue-o antes de aprovar o reembolso.',
  ],
  'The refund float holds less than was received. Top it up before the refund is approved.': [
    'El fondo de reembolsos tiene menos de lo recibido. Recárguelo antes de aprobar el reembolso.',
    'O fundo de reembolsos tem menos do que foi recebido. Recarregue-o antes de aprovar o reembolso.',
  ],
  'Link for the payer': ['Enlace para el pagador', 'Link para o pagador'],
  'It works until {time}.': ['Funciona hasta {time}.', 'Funciona até {time}.'],
  'To the refund': ['Ir al reembolso', 'Ir para o reembolso'],

  'The refund is created and approved. It is paid within moments, and completed once that is final.': [
    'El reembolso está creado y aprobado. Se paga en unos instantes, y se completa cuando eso es definitivo.',
    'O reembolso está criado e aprovado. É pago em instantes, e concluído quando isso é definitivo.',
  ],
  'The refund is created. It is completed once its transaction is final and pays the amount to that address.':
    [
      'El reembolso está creado. Se completa cuando su transacción es definitiva y paga el importe a esa dirección.',
      'O reembolso está criado. É concluído quando sua transação é definitiva e paga o valor a esse endereço.',
    ],
  'The refund is approved. It is paid within moments, and completed once that is final.': [
    'El reembolso está aprobado. Se paga en unos instantes, y se completa cuando eso es definitivo.',
    'O reembolso está aprovado. É pago em instantes, e concluído quando isso é definitivo.',
  ],
  'The payer’s link was shown, and cannot be shown again. If it is lost, cancel this refund and create another.':
    [
      'El enlace del pagador ya se mostró y no se puede mostrar de nuevo. Si se pierde, cancelar este reembolso y crear otro.',
      'O link do pagador já foi mostrado e não pode ser mostrado de novo. Se for perdido, cancele este reembolso e crie outro.',
    ],
  'The refund is cancelled. Its amount can be refunded again.': [
    'El reembolso está cancelado. Su importe se puede reembolsar de nuevo.',
    'O reembolso está cancelado. Seu valor pode ser reembolsado de novo.',
  ],
  'Refund of {amount}': ['Reembolso de {amount}', 'Reembolso de {amount}'],
  'Refund id': ['Id del reembolso', 'Id do reembolso'],
  'Nothing is paid then, and the amount can be refunded again.': [
    'Entonces no se paga nada, y el importe se puede reembolsar de nuevo.',
    'Então nada é pago, e o valor pode ser reembolsado de novo.',
  ],
  'Its transaction is not waited for then, and the amount can be refunded again.': [
    'Entonces no se espera su transacción, y el importe se puede reembolsar de nuevo.',
    'Então não se espera sua transação, e o valor pode ser reembolsado de novo.',
  ],
  'Paid by': ['Pagado por', 'Pago por'],
  'your own wallet': ['la billetera propia', 'sua própria carteira'],
  'It is refused once a transaction pays the refund.': [
    'Se rechaza cuando una transacción ya paga el reembolso.',
    'É recusado quando uma transação já paga o reembolso.',
  ],
  'Cancel the refund': ['Cancelar el reembolso', 'Cancelar o reembolso'],
  '{amount} are paid to {address}. What is paid cannot be called back.': [
    'Se pagan {amount} a {address}. Lo pagado no se puede recuperar.',
    'São pagos {amount} a {address}. O que é pago não pode ser recuperado.',
  ],
  'Approve the refund': ['Aprobar el reembolso', 'Aprovar o reembolso'],
  'Why it failed': ['Por qué falló', 'Por que falhou'],
  To: ['Destino', 'Destino'],
  'The payer can name an address until': [
    'El pagador puede indicar una dirección hasta',
    'O pagador pode informar um endereço até',
  ],
  'The payer named the address': ['El pagador indicó la dirección', 'O pagador informou o endereço'],
  Approved: ['Aprobado', 'Aprovado'],
} as const satisfies Translations;

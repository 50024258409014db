import type { Translations } from '../../messages/languages.js';

/** Translations for settlements and refunds. */
export const SETTLEMENT_WORDS = {
  'Settlements, newest first': [
    'Liquidaciones, primero las más recientes',
    'Liquidações, primeiro as mais recentes',
  ],
  'Transaction hash': ['Hash de la transacción', 'Hash da transação'],
  'Net amount': ['Importe neto', 'Valor líquido'],
  'Service fee': ['Comisión del servicio', 'Taxa do serviço'],
  'Settlement address': ['Dirección de liquidación', 'Endereço de liquidação'],
  'No settlements match these filters.': [
    'Ninguna liquidación coincide con estos filtros.',
    'Nenhuma liquidação corresponde a estes filtros.',
  ],
  'Enter the full hash.': ['Escribe el hash completo.', 'Digite o hash completo.'],
  'No settlements yet.': ['Todavía no hay liquidaciones.', 'Ainda não há liquidações.'],
  'Settlements appear here when payments are sent to your settlement address.': [
    'Las liquidaciones aparecen aquí cuando los pagos se envían a tu dirección de liquidación.',
    'As liquidações aparecem aqui quando os pagamentos são enviados ao seu endereço de liquidação.',
  ],
  '{count} payment|{count} payments': ['{count} pago|{count} pagos', '{count} pagamento|{count} pagamentos'],
  'and {count} more': ['y {count} más', 'e mais {count}'],
  'Refund a payment': ['Reembolsar un pago', 'Reembolsar um pagamento'],
  'Refunds, newest first': ['Reembolsos, primero los más recientes', 'Reembolsos, primeiro os mais recentes'],
  'No refunds match these filters.': [
    'Ningún reembolso coincide con estos filtros.',
    'Nenhum reembolso corresponde a estes filtros.',
  ],
  'No refunds yet.': ['Todavía no hay reembolsos.', 'Ainda não há reembolsos.'],
  'Refund an ended payment from its page or with the API.': [
    'Reembolsa un pago terminado desde su página o con la API.',
    'Reembolse um pagamento encerrado pela página dele ou pela API.',
  ],
  Reason: ['Motivo', 'Motivo'],
  'Order number, payment number or transaction hash': [
    'Número de pedido, número de pago o hash de la transacción',
    'Número do pedido, número do pagamento ou hash da transação',
  ],
  'Order number begins with': ['El número de pedido empieza por', 'O número do pedido começa com'],
  'You can also choose Refund on the page of the payment.': [
    'También puedes elegir Reembolso en la página del pago.',
    'Você também pode escolher Reembolso na página do pagamento.',
  ],
  'Choose the payment to refund': [
    'Elige el pago que quieres reembolsar',
    'Escolha o pagamento a reembolsar',
  ],
  'Payer’s address': ['Dirección del pagador', 'Endereço do pagador'],
  'The refund is paid to this address immediately. Leave blank to get a link where the payer enters an address for you to approve.':
    [
      'El reembolso se paga de inmediato a esta dirección. Déjala en blanco para obtener un enlace donde el pagador indique la dirección que luego apruebas.',
      'O reembolso é pago imediatamente neste endereço. Deixe em branco para receber um link em que o pagador informa o endereço que depois você aprova.',
    ],
  'Paid from': ['Pagado desde', 'Pago de'],
  'Exchanges pay from shared wallets. Refund to this address only if the payer confirms that it is theirs.': [
    'Las plataformas de intercambio pagan desde billeteras compartidas. Reembolsa a esta dirección solo si el pagador confirma que es suya.',
    'As corretoras pagam de carteiras compartilhadas. Reembolse para este endereço somente se o pagador confirmar que é dele.',
  ],
  'At most {amount}.': ['Como máximo {amount}.', 'No máximo {amount}.'],
  'Refund transaction hash': ['Hash de la transacción del reembolso', 'Hash da transação do reembolso'],
  'This payment went to your own wallet, so you pay the refund from it. The refund completes when this transaction is final.':
    [
      'Este pago llegó a tu propia billetera, así que el reembolso lo pagas desde ella. Se completa cuando esta transacción es definitiva.',
      'Este pagamento foi para a sua própria carteira, então você paga o reembolso por ela. Ele se completa quando esta transação é definitiva.',
    ],
  'The address that this transaction pays.': [
    'La dirección que paga esta transacción.',
    'O endereço que esta transação paga.',
  ],
  'Leave blank to refund the full remainder, or the excess of an overpaid payment.': [
    'Déjalo en blanco para reembolsar todo lo restante, o el exceso de un pago de más.',
    'Deixe em branco para reembolsar todo o restante, ou o excesso de um pagamento a mais.',
  ],
  'For your own records (optional).': [
    'Para tus propios registros (opcional).',
    'Para seus próprios registros (opcional).',
  ],
  'Everything was already refunded.': ['Ya se reembolsó todo.', 'Tudo já foi reembolsado.'],
  'Create refund': ['Crear el reembolso', 'Criar o reembolso'],
  'Refund created': ['Reembolso creado', 'Reembolso criado'],
  'Send this link to the payer. They enter an address for {amount}, and you approve it.': [
    'Envía este enlace al pagador. Indicará una dirección para {amount} y después tú la apruebas.',
    'Envie este link ao pagador. Ele informa um endereço para {amount} e depois você aprova.',
  ],
  'The link is displayed only once. Anyone with this link can set the payout address.': [
    'El enlace se muestra una sola vez. Cualquiera que lo tenga puede indicar la dirección de pago.',
    'O link é exibido uma única vez. Qualquer pessoa com este link pode definir o endereço do pagamento.',
  ],
  'The refund float is {amount} short. Top it up before you approve the refund.': [
    'Al fondo de reembolsos le faltan {amount}. Recárgalo antes de aprobar el reembolso.',
    'Faltam {amount} no fundo de reembolsos. Recarregue-o antes de aprovar o reembolso.',
  ],
  'The refund float holds less than the amount received. Top it up before you approve the refund.': [
    'El fondo de reembolsos tiene menos que el importe recibido. Recárgalo antes de aprobar el reembolso.',
    'O fundo de reembolsos tem menos que o valor recebido. Recarregue-o antes de aprovar o reembolso.',
  ],
  'Link for the payer': ['Enlace para el pagador', 'Link para o pagador'],
  'The link is valid until {time}.': ['El enlace es válido hasta {time}.', 'O link é válido até {time}.'],
  'View refund': ['Ver reembolso', 'Ver reembolso'],
  'Refund created and approved. It is paid shortly and completes when the transaction is final.': [
    'Reembolso creado y aprobado. Se paga en unos instantes y se completa cuando la transacción es definitiva.',
    'Reembolso criado e aprovado. É pago em instantes e se completa quando a transação é definitiva.',
  ],
  'Refund created. It completes when the transaction is final and pays the amount to the address.': [
    'Reembolso creado. Se completa cuando la transacción es definitiva y paga el importe a la dirección.',
    'Reembolso criado. Ele se completa quando a transação é definitiva e paga o valor ao endereço.',
  ],
  'Refund approved. It is paid shortly and completes when the transaction is final.': [
    'Reembolso aprobado. Se paga en unos instantes y se completa cuando la transacción es definitiva.',
    'Reembolso aprovado. É pago em instantes e se completa quando a transação é definitiva.',
  ],
  'The payer’s link has already been displayed.': [
    'El enlace del pagador ya se mostró.',
    'O link do pagador já foi exibido.',
  ],
  'The payer’s link is displayed only once. If it was lost, create a new one. The old link then stops working.':
    [
      'El enlace del pagador se muestra una sola vez. Si se perdió, crea otro. El enlace anterior deja de funcionar.',
      'O link do pagador é exibido uma única vez. Se ele se perdeu, crie outro. O link anterior deixa de funcionar.',
    ],
  'Create new link': ['Crear nuevo enlace', 'Criar novo link'],
  'Refund cancelled. The amount can be refunded again.': [
    'Reembolso cancelado. El importe se puede reembolsar de nuevo.',
    'Reembolso cancelado. O valor pode ser reembolsado de novo.',
  ],
  'Refund of {amount}': ['Reembolso de {amount}', 'Reembolso de {amount}'],
  'Refund id': ['Id del reembolso', 'Id do reembolso'],
  'If you cancel, the refund is not paid, and the amount can be refunded again.': [
    'Si lo cancelas, el reembolso no se paga y el importe se puede reembolsar de nuevo.',
    'Se você cancelar, o reembolso não é pago e o valor pode ser reembolsado de novo.',
  ],
  'If you cancel, the refund no longer waits for its transaction, and the amount can be refunded again.': [
    'Si lo cancelas, el reembolso ya no espera su transacción y el importe se puede reembolsar de nuevo.',
    'Se você cancelar, o reembolso deixa de esperar a transação e o valor pode ser reembolsado de novo.',
  ],
  'Paid by': ['Pagado por', 'Pago por'],
  'your own wallet': ['tu propia billetera', 'sua própria carteira'],
  'You cannot cancel it after its transaction has been sent.': [
    'No se puede cancelar después de enviar la transacción.',
    'Não é possível cancelar depois que a transação foi enviada.',
  ],
  'Cancel refund': ['Cancelar el reembolso', 'Cancelar o reembolso'],
  'Pays {amount} to {address}. This cannot be undone.': [
    'Paga {amount} a {address}. No se puede deshacer.',
    'Paga {amount} para {address}. Não é possível desfazer.',
  ],
  'Approve refund': ['Aprobar el reembolso', 'Aprovar o reembolso'],
  'Failure reason': ['Motivo del fallo', 'Motivo da falha'],
  To: ['Destino', 'Destino'],
  'Payer can enter an address until': [
    'El pagador puede indicar la dirección hasta',
    'O pagador pode informar o endereço até',
  ],
  'Payer entered the address': ['El pagador indicó la dirección', 'O pagador informou o endereço'],
  Approved: ['Aprobado', 'Aprovado'],
  'Awaiting address': ['Pendiente de la dirección', 'Aguardando endereço'],
  'Awaiting approval': ['Pendiente de aprobación', 'Aguardando aprovação'],
} as const satisfies Translations;

// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A simulation is paid for by an account that holds little; the key of a test that sends settlements holds far more.
function isReal() view returns (bool) {
    return tx.origin.balance > 10 ether;
}

function burn() pure {
    while (true) {}
}

/// Takes coin in a simulation, and burns all gas in a block.
contract TwoFacedRecipient {
    receive() external payable {
        if (isReal()) burn();
    }
}

/// Never takes coin.
contract RefusingRecipient {}

/// Does what the code at another address does, upon its own storage; but burns all gas of a payout in a block.
contract TwoFacedToken {
    address private immutable ORIGINAL;

    constructor(address original) {
        ORIGINAL = original;
    }

    fallback() external {
        bool isPayout = msg.sender != tx.origin && msg.sig == bytes4(keccak256("transfer(address,uint256)"));
        if (isPayout && isReal()) burn();
        (bool success, bytes memory answer) = ORIGINAL.delegatecall(msg.data);
        assembly {
            if iszero(success) {
                revert(add(answer, 32), mload(answer))
            }
            return(add(answer, 32), mload(answer))
        }
    }
}

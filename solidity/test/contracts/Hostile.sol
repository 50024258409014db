// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// Misbehaves in one chosen way; well again with mode 0.
enum Mode {
    Well,
    SayNothing,
    SayFalse,
    SayFalseYetMove,
    TakeFee,
    BurnGas,
    Bomb,
    Reenter,
    BurnOnBalance,
    BombOnBalance,
    SayTrueYetStay,
    SayTwo,
    SayShort,
    SayMuch,
    Hook,
    GiveBack
}

function burn() pure {
    while (true) {}
}

function say(uint256 word, uint256 size) pure {
    assembly {
        mstore(0, word)
        return(0, size)
    }
}

function bomb(bool failing) pure {
    assembly {
        switch failing
        case 1 {
            revert(0, 200000)
        }
        default {
            return(0, 200000)
        }
    }
}

/// As ERC-777 tells a recipient.
interface Hooked {
    function tokensReceived(address from, uint256 amount) external;
}

contract HostileToken is ERC20("Hostile", "BAD") {
    Mode public mode;
    mapping(address => bool) public blocked;
    address public target;
    bytes public call;
    bool public reentered;

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function set(Mode mode_) external {
        mode = mode_;
    }

    function setBlocked(address account, bool value) external {
        blocked[account] = value;
    }

    function setCall(address target_, bytes calldata call_) external {
        (target, call) = (target_, call_);
    }

    function balanceOf(address owner) public view override returns (uint256) {
        if (mode == Mode.BurnOnBalance) burn();
        if (mode == Mode.BombOnBalance) bomb(true);
        return super.balanceOf(owner);
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        require(!blocked[to], "blocked");
        if (mode == Mode.BurnGas) burn();
        if (mode == Mode.Bomb) bomb(true);
        if (mode == Mode.SayFalse) return false;
        if (mode == Mode.SayTrueYetStay) return true;
        if (mode == Mode.Reenter) {
            (bool success, ) = target.call(call);
            reentered = reentered || success;
        }
        if (mode == Mode.TakeFee) {
            super.transfer(address(0xdead), amount / 100);
            amount -= amount / 100;
        }
        super.transfer(to, amount);
        if (mode == Mode.Hook && to.code.length != 0) Hooked(to).tokensReceived(msg.sender, amount);
        if (mode == Mode.SayNothing) say(0, 0);
        if (mode == Mode.SayTwo) say(2, 32);
        if (mode == Mode.SayShort) say(1, 31);
        if (mode == Mode.SayMuch) say(1, 96);
        return mode != Mode.SayFalseYetMove;
    }
}

contract HostileRecipient is Hooked {
    Mode public mode;
    address public target;
    bytes public call;
    bool public reentered;
    uint256 public needs;

    function set(Mode mode_) external {
        mode = mode_;
    }

    function setNeeds(uint256 gas_) external {
        needs = gas_;
    }

    function setCall(address target_, bytes calldata call_) external {
        (target, call) = (target_, call_);
    }

    receive() external payable {
        require(mode != Mode.SayFalse, "refused");
        // Told apart early, so that the caller keeps its gas: what a check after the call would not notice.
        require(gasleft() >= needs, "hungry");
        if (mode == Mode.BurnGas) burn();
        if (mode == Mode.Bomb) bomb(true);
        if (mode == Mode.SayNothing) bomb(false);
        if (mode == Mode.Reenter) reenter();
        if (mode == Mode.GiveBack) bequeath(msg.sender);
    }

    function tokensReceived(address from, uint256 amount) external {
        if (mode == Mode.Reenter) reenter();
        if (mode == Mode.GiveBack) ERC20(msg.sender).transfer(from, amount / 2);
    }

    function reenter() private {
        (bool success, ) = target.call(call);
        reentered = reentered || success;
    }

    /// A contract whose creation code is `PUSH20 heir, SELFDESTRUCT`: the coin arrives without a call.
    function bequeath(address heir) private {
        uint256 coin = address(this).balance;
        assembly {
            mstore(0, shl(80, or(or(shl(168, 0x73), shl(8, heir)), 0xff)))
            if iszero(create(coin, 0, 22)) {
                revert(0, 0)
            }
        }
    }
}

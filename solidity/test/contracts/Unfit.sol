// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// Keeps one per cent of each transfer, but not of the owner's.
contract FeeToken is ERC20("Fee", "FEE") {
    address private immutable OWNER = msg.sender;

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        uint256 fee = msg.sender == OWNER ? 0 : amount / 100;
        _burn(msg.sender, fee);
        return super.transfer(to, amount - fee);
    }
}

/// Pays interest by the second.
contract InterestToken is ERC20("Interest", "INT") {
    uint256 private immutable BEGAN = block.timestamp;

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function balanceOf(address owner) public view override returns (uint256) {
        return (super.balanceOf(owner) * (1e9 + block.timestamp - BEGAN)) / 1e9;
    }
}

/// Stores shares; what one is worth is set by hand.
contract ShareToken is ERC20("Share", "SHR") {
    uint256 private constant WORTH = 3;

    function mint(address to, uint256 shares) external {
        _mint(to, shares);
    }

    function balanceOf(address owner) public view override returns (uint256) {
        return super.balanceOf(owner) * WORTH;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        return super.transfer(to, amount / WORTH);
    }
}

/// As the oldest tokens do it.
contract Bytes32SymbolToken {
    bytes32 public constant symbol = "OLD";
    uint8 public constant decimals = 18;
    mapping(address => uint256) public balanceOf;

    function transfer(address to, uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
    }
}

contract PausedToken is ERC20("Paused", "PSD") {
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function transfer(address, uint256) public pure override returns (bool) {
        revert("paused");
    }
}

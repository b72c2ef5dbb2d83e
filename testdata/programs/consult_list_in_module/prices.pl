price(apple, 2).
price(pear, 3).

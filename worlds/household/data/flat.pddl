; Four rooms in a circle: living room, kitchen, bathroom, bedroom.
(:objects
  kitchen bathroom bedroom livingroom fridge stove counter sink kitchentable toilet bathtub cabinet bed desk wardrobe
  nightstand sofa tv coffeetable bookshelf - place
  salmon apple milk cup soap towel pillow book shirt remote - thing)
(:init
  (hand_free) (room kitchen) (located kitchen kitchen) (room bathroom) (located bathroom bathroom) (room bedroom)
  (located bedroom bedroom) (room livingroom) (located livingroom livingroom) (next_to livingroom kitchen)
  (next_to kitchen livingroom) (next_to kitchen bathroom) (next_to bathroom kitchen) (next_to bathroom bedroom)
  (next_to bedroom bathroom) (next_to bedroom livingroom) (next_to livingroom bedroom) (located fridge kitchen)
  (container fridge) (openable fridge) (located stove kitchen) (surface stove) (device stove)
  (located counter kitchen) (surface counter) (located sink kitchen) (surface sink) (located kitchentable kitchen)
  (surface kitchentable) (located toilet bathroom) (located bathtub bathroom) (surface bathtub)
  (located cabinet bathroom) (container cabinet) (openable cabinet) (located bed bedroom) (surface bed)
  (located desk bedroom) (surface desk) (located wardrobe bedroom) (container wardrobe) (openable wardrobe)
  (located nightstand bedroom) (surface nightstand) (located sofa livingroom) (surface sofa) (located tv livingroom)
  (device tv) (located coffeetable livingroom) (surface coffeetable) (located bookshelf livingroom)
  (surface bookshelf) (is_on salmon counter) (is_on apple kitchentable) (is_in milk fridge) (is_on cup sink)
  (is_on soap sink) (is_on towel bathtub) (is_on pillow bed) (is_on book desk) (is_in shirt wardrobe)
  (is_on remote coffeetable))

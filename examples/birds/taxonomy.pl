% The taxonomy: which species belongs to which family, and which family to which order.

% order(Order, CommonName)
order(anseriformes,     'waterfowl').
order(podicipediformes, 'grebes').
order(pelecaniformes,   'herons and pelicans').
order(ciconiiformes,    'storks').
order(accipitriformes,  'eagles, kites and buzzards').
order(falconiformes,    'falcons').
order(strigiformes,     'owls').
order(charadriiformes,  'gulls, auks and waders').
order(columbiformes,    'pigeons and doves').
order(piciformes,       'woodpeckers').
order(coraciiformes,    'kingfishers and bee-eaters').
order(apodiformes,      'swifts').
order(passeriformes,    'perching birds').

% family(Family, Order, CommonName)
family(anatidae,      anseriformes,     'ducks, geese and swans').
family(podicipedidae, podicipediformes, 'grebes').
family(ardeidae,      pelecaniformes,   'herons and egrets').
family(ciconiidae,    ciconiiformes,    'storks').
family(accipitridae,  accipitriformes,  'hawks and eagles').
family(falconidae,    falconiformes,    'falcons').
family(tytonidae,     strigiformes,     'barn owls').
family(strigidae,     strigiformes,     'true owls').
family(laridae,       charadriiformes,  'gulls').
family(alcidae,       charadriiformes,  'auks').
family(columbidae,    columbiformes,    'pigeons and doves').
family(picidae,       piciformes,       'woodpeckers').
family(alcedinidae,   coraciiformes,    'kingfishers').
family(apodidae,      apodiformes,      'swifts').
family(corvidae,      passeriformes,    'crows').
family(hirundinidae,  passeriformes,    'swallows').
family(paridae,       passeriformes,    'tits').
family(passeridae,    passeriformes,    'sparrows').
family(turdidae,      passeriformes,    'thrushes').
family(muscicapidae,  passeriformes,    'chats and flycatchers').

% species(Species, Family, ScientificName)
species(mallard,                  anatidae,      'Anas platyrhynchos').
species(tufted_duck,              anatidae,      'Aythya fuligula').
species(greylag_goose,            anatidae,      'Anser anser').
species(canada_goose,             anatidae,      'Branta canadensis').
species(mute_swan,                anatidae,      'Cygnus olor').
species(great_crested_grebe,      podicipedidae, 'Podiceps cristatus').
species(grey_heron,               ardeidae,      'Ardea cinerea').
species(great_egret,              ardeidae,      'Ardea alba').
species(white_stork,              ciconiidae,    'Ciconia ciconia').
species(golden_eagle,             accipitridae,  'Aquila chrysaetos').
species(common_buzzard,           accipitridae,  'Buteo buteo').
species(red_kite,                 accipitridae,  'Milvus milvus').
species(common_kestrel,           falconidae,    'Falco tinnunculus').
species(peregrine_falcon,         falconidae,    'Falco peregrinus').
species(barn_owl,                 tytonidae,     'Tyto alba').
species(tawny_owl,                strigidae,     'Strix aluco').
species(eagle_owl,                strigidae,     'Bubo bubo').
species(herring_gull,             laridae,       'Larus argentatus').
species(black_headed_gull,        laridae,       'Chroicocephalus ridibundus').
species(atlantic_puffin,          alcidae,       'Fratercula arctica').
species(wood_pigeon,              columbidae,    'Columba palumbus').
species(collared_dove,            columbidae,    'Streptopelia decaocto').
species(great_spotted_woodpecker, picidae,       'Dendrocopos major').
species(green_woodpecker,         picidae,       'Picus viridis').
species(common_kingfisher,        alcedinidae,   'Alcedo atthis').
species(common_swift,             apodidae,      'Apus apus').
species(carrion_crow,             corvidae,      'Corvus corone').
species(magpie,                   corvidae,      'Pica pica').
species(jay,                      corvidae,      'Garrulus glandarius').
species(barn_swallow,             hirundinidae,  'Hirundo rustica').
species(great_tit,                paridae,       'Parus major').
species(blue_tit,                 paridae,       'Cyanistes caeruleus').
species(house_sparrow,            passeridae,    'Passer domesticus').
species(blackbird,                turdidae,      'Turdus merula').
species(robin,                    muscicapidae,  'Erithacus rubecula').

% lineage(?Species, -Taxa): the species, its family and its order, nearest first.
lineage(Species, [Species, Family, Order]) :-
    species(Species, Family, _),
    family(Family, Order, _).

% taxon_title(+Taxon, -Title): what to call an order or a family in a sentence.
taxon_title(Taxon, Title) :-
    (   order(Taxon, Common)
    ->  format(atom(Title), 'the order ~w (~w)', [Taxon, Common])
    ;   family(Taxon, _, Common),
        format(atom(Title), 'the family ~w (~w)', [Taxon, Common])
    ).

% bird_title(+Species, -Title): grey_heron is shown as "grey heron".
bird_title(Species, Title) :-
    atomic_list_concat(Words, '_', Species),
    atomic_list_concat(Words, ' ', Title).
